"""Arguments and their unknown sizes have names of their own, whatever the text calls them."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage.argument_names import argument_name, argument_names, symbol_name, symbol_names
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.frontends.text.mlir_parser import parse

ONE, TWO = "tensor<?xf32>", "tensor<?x?xf32>"


def function(arguments: str) -> FuncOp:
    """A function with these arguments."""
    module = parse(context(), f"func.func @main({arguments}) {{\n func.return\n}}", "names.mlir")
    func = module.body.block.first_op
    assert isinstance(func, FuncOp)
    return func


def names(arguments: str) -> tuple[tuple[str, ...], list[str]]:
    """What the arguments of a function and their unknown sizes are called."""
    entry = function(arguments).body.block
    assert [argument_name(a) for a in entry.args] == list(argument_names(entry))
    sizes = symbol_names(entry)
    assert all(symbol_name(entry.args[n], axis) == name for (n, axis), name in sizes.items())
    return argument_names(entry), [sizes[place] for place in sorted(sizes)]


def test_names_are_those_of_the_text() -> None:
    assert names(f"%x: {ONE}, %y: {TWO}, %n: index") == (("x", "y", "n"), ["x", "y.0", "y.1"])


def test_arguments_without_names_have_their_numbers() -> None:
    assert names(f"%0: {ONE}, %1: index, %2: {ONE}") == (("arg0", "arg1", "arg2"), ["arg0", "arg2"])


def test_arguments_that_xdsl_calls_the_same_are_told_apart() -> None:
    """It leaves out the numbers at the ends of names."""
    assert names(f"%x_1: {ONE}, %x_2: {ONE}, %x_3: {TWO}") == (("x", "x.1", "x.2"), ["x", "x.1", "x.2.0", "x.2.1"])


def test_name_of_the_model_is_kept_where_another_argument_has_it_in_the_text() -> None:
    stated = f'%x: {ONE}, %y: {ONE} {{dnn.name = "x"}}, %z: {ONE} {{dnn.name = "x"}}'
    assert names(stated) == (("x.1", "x", "x.2"), ["x.1", "x", "x.2"])


def test_stated_sizes_of_one_name_are_equal_and_no_other_size_has_it() -> None:
    stated = f'%n: {ONE}, %a: {TWO} {{dnn.sizes = ["n", "a.1"]}}, %b: {TWO} {{dnn.sizes = ["n", ""]}}'
    assert names(stated) == (("n", "a", "b"), ["n.1", "n", "a.1", "n", "b.1"])


def test_axis_of_one_argument_is_not_another_argument() -> None:
    given, sizes = names(f"%x_1: {TWO}, %x_2: {ONE}, %x_3: {TWO}")
    assert given == ("x", "x.1", "x.2")
    assert len({*sizes}) == 5


def test_sizes_of_arguments_that_are_called_the_same_are_not_taken_to_be_equal() -> None:
    func = function(f"%x_1: {ONE}, %x_2: {ONE}")
    first, second = (infer_shapes(func)[argument].shape for argument in func.args)
    assert first != second
    assert unknown_sizes(func) == {"x": (0, 0), "x.1": (1, 0)}
