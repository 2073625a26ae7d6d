"""Element types, sizes and attributes that do not fit an op: it runs, or there is an error of one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import OpaqueOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import item_bytes
from lastuse.frontends.text.mlir_parser import parse
from support import opt_tool

ELEMENTS = (
    *("complex<f32>", "i7", "i0", "i128", "si8", "ui24", "f8E4M3FN", "f80", "tf32", "none", "vector<2xf32>"),
    *("ui8", "ui16", "ui32", "ui64", "index", "i1", "bf16", "i64"),
)
SUPPORTED = ("ui8", "ui16", "ui32", "ui64", "index", "i1", "bf16", "i64")
SIZES = ("9223372036854775807", "9223372036854775808", "1099511627776", "-1")
VALUES = (
    *('"zero"', "1.5 : f32", "0x7FC00000 : f32", "1.0e300 : f64", "-7 : i64", "99999999999 : i64", "true", "[]"),
    *(
        "-99999999999999999999999999999999999999999 : i256",
        "array<i64: 1, 2, 3>",
        "array<i64>",
        "array<f32: 1.0>",
        "@f",
    ),
)
"""Attributes of every kind; an op takes some of them."""
PIPELINE = ("--plan-pass", "--verify-storage-pass", "--lower-to-onednn-pass")
NAMES = [name for name, cls in OPERATIONS.items() if cls is not OpaqueOp]


def example(cls: type[DnnOp]) -> tuple[dict[str, str], list[str], list[str]]:
    """Attributes by name, operand types and result types of the class's example, as text."""
    match = re.fullmatch(r"(?:\{(.*)\} )?: \((.*)\) -> \(?(.*?)\)?", cls.EXAMPLE)
    assert match
    attributes, operands, results = match.groups()
    parts = re.split(r", (?=\w+ = )", attributes) if attributes else []
    types = ([t for t in text.split(", ") if t] for text in (operands, results))
    return {part.split(" = ")[0]: part for part in parts}, *types


def program(name: str, attributes: dict[str, str], operands: list[str], results: list[str]) -> str:
    """The op alone in `main`."""
    arguments = ", ".join(f'%a{k}: {type_} {{dnn.name = "a{k}"}}' for k, type_ in enumerate(operands))
    made = ", ".join(f"%r#{k}" for k in range(len(results)))
    types = ", ".join(results)
    return (
        f"func.func @main({arguments}) -> ({types}) {{\n"
        f'  %r:{len(results)} = "{name}"({", ".join(f"%a{k}" for k in range(len(operands)))}) '
        f"{{{', '.join(attributes.values())}}} : ({', '.join(operands)}) -> ({types})\n"
        f"  func.return {made} : {types}\n}}\n"
    )


def outcome(text: str) -> str:
    """What is said of a program, "" if it runs. Anything but one located line is a failure."""
    return piped(text) or compiled(text)


def piped(text: str) -> str:
    """What `opt-tool` says of it."""
    done = opt_tool(*PIPELINE, "-", stdin=text)
    assert done.status in (0, 1), done.err
    errors = [line for line in done.err.splitlines() if ": error: " in line]
    assert len(errors) == done.status, done.err
    assert all(line.startswith("<stdin>:") for line in errors)
    assert "Traceback" not in done.err
    assert "an internal error" not in done.err
    return errors[0] if errors else ""


def compiled(text: str) -> str:
    """What `compile` and a run say of it."""
    try:
        made = lastuse.compile(parse(context(), text, "wrong.mlir"))
        inputs = made.latest.runner.inputs
        if all(np.prod(a.shape, dtype=float) < 1e6 for a in inputs.values()):
            made.run({name: np.zeros(a.shape, a.dtype) for name, a in inputs.items()})
    except LastuseError as error:
        return str(error)
    return ""


def types_with(element: str, types: list[str]) -> list[str]:
    return [re.sub(r"\w+>$", f"{element}>", type_) for type_ in types]


def with_size(size: str, types: list[str]) -> list[str]:
    return [re.sub(r"<\d+x", f"<{size}x", type_) for type_ in types]


def share(of: Sequence[str], name: str) -> list[str]:
    """A third of the texts, another one for each op in turn: every text meets many ops, and every op some of them."""
    return [text for k, text in enumerate(of) if (k + NAMES.index(name)) % 3 == 0]


def wrong_types(name: str) -> Iterator[str]:
    attributes, operands, results = example(OPERATIONS[name])
    for element in share(ELEMENTS, name):
        yield program(name, attributes, types_with(element, operands), types_with(element, results))
        if operands:
            yield program(name, attributes, [*types_with(element, operands[:1]), *operands[1:]], results)
    for size in SIZES:
        yield program(name, attributes, with_size(size, operands), with_size(size, results))


def wrong_attributes(name: str) -> Iterator[str]:
    attributes, operands, results = example(OPERATIONS[name])
    for attribute in OPERATIONS[name].get_irdl_definition().attributes:
        for value in share(VALUES, name):
            changed = {**attributes, attribute: f"{attribute} = {value}"}
            yield program(name, changed, operands, results)
        yield program(name, {**attributes, attribute: attribute}, operands, results)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_element_types_are_errors(name: str) -> None:
    for text in wrong_types(name):
        said = outcome(text)
        odd = [e for e in ELEMENTS if e not in SUPPORTED and f"{e}>" in text]
        assert said or not odd, text


@pytest.mark.parametrize("name", NAMES)
def test_wrong_attributes_are_errors_or_run(name: str) -> None:
    for text in wrong_attributes(name):
        outcome(text)


def test_some_wrong_types_are_rejected_and_some_run() -> None:
    texts = [*wrong_types("dnn.add"), *wrong_attributes("dnn.concat")]
    said = [outcome(text) for text in texts]
    assert any(said)
    assert not all(said)


@pytest.mark.parametrize("element", [e for e in ELEMENTS if e not in SUPPORTED])
def test_unsupported_value_is_an_error_even_if_it_only_passes_through(element: str) -> None:
    type_ = f"tensor<2x{element}>"
    text = f'func.func @main(%x: {type_} {{dnn.name = "x"}}) -> {type_} {{ func.return %x : {type_} }}'
    for said in (piped(text), compiled(text)):
        assert f"{type_} cannot run: element type {element} is not supported" in said


@pytest.mark.parametrize(
    ("element", "nbytes"),
    [
        *(
            ("complex<f32>", 8),
            ("complex<f64>", 16),
            ("f8E4M3FN", 1),
            ("f8E5M2", 1),
            ("i4", 1),
            ("i7", 1),
            ("i128", 16),
        ),
        *(("ui32", 4), ("si64", 8), ("f80", 10), ("vector<2x4xf32>", 32), ("bf16", 2), ("i1", 1), ("index", 8)),
    ],
)
def test_bytes_of_foreign_elements_are_counted(element: str, nbytes: int) -> None:
    """A plan counts the bytes of a value that only ops of other dialects compute."""
    assert item_bytes(element) == nbytes


def test_no_memory_is_an_error_of_the_user() -> None:
    type_ = f"tensor<{1 << 40}xf32>"
    text = f'func.func @main() -> {type_} {{ %y = "dnn.zeros"() : () -> {type_} func.return %y : {type_} }}'
    program = lastuse.compile(parse(context(), text, "huge.mlir"))
    with pytest.raises(LastuseError, match="there is no memory for this run"):
        program.run({})


@pytest.mark.parametrize("size", [-1, 1 << 62, 1 << 70])
def test_sizes_that_no_memory_has(size: int) -> None:
    text = """func.func @main(%x: tensor<?xf32> {dnn.name = "x"}) -> tensor<?xf32> {
      %y = "dnn.relu"(%x) : (tensor<?xf32>) -> tensor<?xf32>
      func.return %y : tensor<?xf32>
    }"""
    program = lastuse.compile(parse(context(), text, "sizes.mlir"))
    with pytest.raises(LastuseError, match=r"has a negative size|a tensor has 140,737,488,355,328 at most"):
        program.specialized({"x": size})
