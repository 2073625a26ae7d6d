"""nntrainer's modes: the cases, and rules without a case."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.foreign import tensor as contracts_of_tensor
from lastuse.dialect.storage import contract as storage_contract
from lastuse.dialect.storage.attrs import COPY, SHARES, display_name
from lastuse.dialect.storage.contract import Backward, Contract, InPlace, View, contract_of
from lastuse.dialect.storage.layout import permuted
from lastuse.dialect.storage.registration import register_contract
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.inplace import InplacePass
from lastuse.passes.inplace_analysis.policies.nntrainer import Mode, decide

from .corpus import by_name, cases, planned, reasons, runner, written_over

SHAPE = "tensor<2x3x4x4xf32>"


def module(*lines: str, returned: str = "r") -> str:
    """A function that makes %c with an opaque op; in each line `T` is the one type."""
    body = ['%c = "dnn.opaque"(%x) {kind = "conv"} : (T) -> T', *lines]
    inner = "\n".join(f"  {line}" for line in body).replace("T", SHAPE)
    return f"func.func @main(%x: {SHAPE}) -> {SHAPE} {{\n{inner}\n  func.return %{returned} : {SHAPE}\n}}"


def modes(text: str) -> dict[str, str]:
    """The mode of every layer, by the name of its first result."""
    return {display_name(op.results[0])[1:]: mode for op, mode in planned("nntrainer", text).modes.items()}


def test_layers_in_place_are_those_of_the_cases() -> None:
    run, seen = runner(), 0
    for case in cases("nntrainer_inplace"):
        if not run.runnable(case):
            continue
        plan = planned("nntrainer", run.Function(case).text)
        found = {op.attributes["case.op"].data for op, mode in plan.modes.items() if Mode(mode) is not Mode.NONE}  # pyright: ignore
        assert found == {op for op, shared in case["expect"]["shared_memory"].items() if shared["values"]}, case["id"]
        seen += len(found)
    assert seen > 100


def test_layers_share_what_they_share_in_the_cases() -> None:
    """Values and gradients of each layer in place; of others, which the table leaves out, gradients at most. A reshape
    is a view in whatever mode."""
    run, seen = runner(), 0
    for case in cases("nntrainer_inplace"):
        if not run.runnable(case):
            continue
        module = parse(context(), run.Function(case).text, "case.mlir")
        InplacePass("nntrainer", shares=True).apply(context(), module)
        want = {op: words(**shared) for op, shared in case["expect"]["shared_memory"].items()}
        for op in module.walk():
            layer = op.attributes.get("case.op")
            if isinstance(layer, StringAttr):
                allowed = (None, words(False, True), *[words(True, True)] * (op.name == "dnn.reshape"))
                assert op.attributes.get(SHARES) in ([want[layer.data]] if layer.data in want else allowed)
                seen += layer.data in want
    assert seen > 100


def words(values: bool, gradients: bool) -> StringAttr:
    """What `dnn.shares` says of a layer."""
    return StringAttr("both" if values and gradients else "values" if values else "gradients")


def test_a_fan_out_counts_as_the_multiout_that_is_inserted_there() -> None:
    text = module(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%b = "dnn.tanh"(%c) : (T) -> T',
        '%r = "dnn.add"(%a, %b) : (T, T) -> T',
    )
    plan = planned("nntrainer", text)
    assert written_over(plan) == {}
    assert reasons(plan)["a"] == reasons(plan)["b"] == "restricting-input"


def test_returned_operand_is_refused_though_it_has_no_reader() -> None:
    text = module('%a = "dnn.relu"(%c) : (T) -> T', returned="c")
    assert reasons(planned("nntrainer", text))["a"] == "returned"


def test_layer_refused_by_the_analysis_restricts_no_other() -> None:
    """%a is not written over the caller's %x, so the next op %b may be in place."""
    text = module('%a = "dnn.relu"(%x) : (T) -> T', '%b = "dnn.tanh"(%a) : (T) -> T', '%r = "dnn.neg"(%b) : (T) -> T')
    plan = planned("nntrainer", text)
    assert written_over(plan) == {"b": "a"}
    assert plan.modes[by_name(plan, "a")] == "none"
    assert plan.modes[by_name(plan, "b")] == "restricting"


def test_constants_have_no_mode() -> None:
    plan = planned("nntrainer", module(f'%r = "dnn.constant"() {{value = dense<1.0> : {SHAPE}}} : () -> T'))
    assert {op.name for op in plan.modes} == {"dnn.opaque"}


def test_a_view_that_has_to_be_copied_is_not_in_place() -> None:
    text = module(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%d = "dnn.flatten"(%a) {axis = 4, dnn.copy} : (T) -> tensor<96x1xf32>',
        '%m = "dnn.tanh"(%d) : (tensor<96x1xf32>) -> tensor<96x1xf32>',
        '%r = "dnn.reshape"(%m) : (tensor<96x1xf32>) -> T',
    )
    assert modes(text) == {"c": "none", "a": "restricting", "d": "none", "m": "restricting", "r": "none"}


T = "tensor<4x4xf32>"
VIEWS = {
    "dnn.reshape": f'%v = "dnn.reshape"(%a) : ({T}) -> tensor<16xf32>',
    "dnn.flatten": f'%v = "dnn.flatten"(%a) : ({T}) -> {T}',
    "dnn.identity": f'%v = "dnn.identity"(%a) : ({T}) -> {T}',
    "dnn.multiout": f'%v = "dnn.multiout"(%a) : ({T}) -> {T}',
    "dnn.unsqueeze": f'%v = "dnn.unsqueeze"(%a) {{axes = array<i64: 0>}} : ({T}) -> tensor<1x4x4xf32>',
    "dnn.squeeze": f'%u = "dnn.unsqueeze"(%a) {{axes = array<i64: 0>}} : ({T}) -> tensor<1x4x4xf32>\n'
    f'%v = "dnn.squeeze"(%u) {{axes = array<i64: 0>}} : (tensor<1x4x4xf32>) -> {T}',
    "dnn.expand": f'%v = "dnn.expand"(%a) : ({T}) -> tensor<1x4x4xf32>',
    "dnn.transpose": f'%v = "dnn.transpose"(%a) : ({T}) -> {T}',
    "dnn.slice": f'%v = "dnn.slice"(%a) {{dim = 0 : i64, start = 2 : i64}} : ({T}) -> tensor<2x4xf32>',
    "dnn.select": f'%v = "dnn.select"(%a) {{dim = 0 : i64, index = 1 : i64}} : ({T}) -> tensor<4xf32>',
    "dnn.diagonal": f'%v = "dnn.diagonal"(%a) : ({T}) -> tensor<4xf32>',
    "dnn.as_strided": '%v = "dnn.as_strided"(%a) {size = array<i64: 2, 4>, stride = array<i64: 4, 1>, '
    f"storage_offset = 4 : i64}} : ({T}) -> tensor<2x4xf32>",
    "dnn.split": f'%v, %w = "dnn.split"(%a) {{axis = 0 : i64, split_size = 2 : i64}} : ({T}) -> '
    "(tensor<2x4xf32>, tensor<2x4xf32>)",
    "dnn.unbind": f'%v:4 = "dnn.unbind"(%a) {{axis = 0 : i64}} : ({T}) -> ({", ".join(["tensor<4xf32>"] * 4)})',
    "tensor.extract_slice": f"%v = tensor.extract_slice %a[1, 0] [2, 4] [1, 1] : {T} to tensor<2x4xf32>",
    "tensor.collapse_shape": f"%v = tensor.collapse_shape %a [[0, 1]] : {T} into tensor<16xf32>",
    "tensor.expand_shape": f"%v = tensor.expand_shape %a [[0], [1, 2]] output_shape [4, 2, 2] : {T} into "
    "tensor<4x2x2xf32>",
    "tensor.cast": f"%v = tensor.cast %a : {T} to {T}",
    "own.view": f'%v = "own.layer"(%a) : ({T}) -> {T}',
    "two": f'%u = "dnn.transpose"(%a) : ({T}) -> {T}\n'
    f"%v = tensor.extract_slice %u[1, 0] [2, 4] [1, 1] : {T} to tensor<2x4xf32>",
}
"""Views of %a, whole, of a part and turned, of our dialect and of others."""
assert contracts_of_tensor, "registered before a test registers its own, and forgets them"


def test_tested_views_are_all_views_of_the_dialect() -> None:
    assert {op for op in VIEWS if op.startswith("dnn.")} == {
        name for name, class_ in OPERATIONS.items() if contract_of(example_of(class_)).views
    }


@pytest.mark.parametrize("copied", [False, True], ids=["view", "copy"])
@pytest.mark.parametrize("kernel", ["tanh", "relu", "sigmoid", "gelu"])
@pytest.mark.parametrize("view", VIEWS)
def test_view_passes_a_restriction_on(view: str, kernel: str, copied: bool) -> None:
    """The backward pass of relu needs its result, so no op behind a view of it writes there; behind a copy it may."""
    line = VIEWS[view].splitlines()[-1]
    type_ = line.rpartition(" into " if " into " in line else " to " if " to " in line else "-> ")[2].strip("() ")
    type_ = type_.split(", ")[0]
    text = f"""func.func @main(%x: {T}) -> {type_} {{
      %c = "dnn.opaque"(%x) {{kind = "conv"}} : ({T}) -> {T}
      %a = "dnn.relu"(%c) : ({T}) -> {T}
      {VIEWS[view]}
      %s = "dnn.{kernel}"(%v) : ({type_}) -> {type_}
      func.return %s : {type_}
    }}""".replace('"(%v)', '"(%v#0)' if "%v:4" in line else '"(%v)')
    contract = Contract(views=(View(0, 0, permuted((1, 0))),), backward=Backward(), strided=True)
    with Own(contract).registered() as ctx:
        func = next(op for op in parse(ctx, text, "test.mlir").walk() if isinstance(op, FuncOp))
        ops = {op.results[0].name_hint: op for op in func.body.block.ops if op.results}
        if copied:
            ops["v"].attributes[COPY] = UnitAttr()
        program = NumberedOps.of(func)
        assert program is not None
        plan = decide(program, False)
    assert plan.modes[ops["a"]] == "restricting"
    found = {r.reason for r in plan.refused.get(ops["s"], ())}
    seen = not copied and ops["v"].results[0] not in plan.copies  # a kernel may need what it reads row-major
    assert seen or copied or kernel != "relu"
    restricted = seen
    assert (Reason.RESTRICTING_INPUT in found) == restricted, found
    assert (plan.inplace.get(ops["s"].results[0]) == 0) == (not restricted)


@irdl_op_definition
class Layer(IRDLOperation):
    """A layer of another dialect."""

    name = "own.layer"
    x = operand_def(TensorType[Attribute])
    y = result_def(TensorType[Attribute])


@irdl_op_definition
class Pair(IRDLOperation):
    """One with two inputs."""

    name = "own.pair"
    x = operand_def(TensorType[Attribute])
    other = operand_def(TensorType[Attribute])
    y = result_def(TensorType[Attribute])


@dataclass(frozen=True)
class Own:
    """The dialect of `Layer` and `Pair`, known to a context, with a contract for the time of a test."""

    contract: Contract

    @contextmanager
    def registered(self) -> Generator[Context]:
        ctx = context()
        ctx.register_dialect("own", lambda: Dialect("own", [Layer, Pair]))
        before = dict(storage_contract._registered)  # pyright: ignore
        register_contract(Layer, self.contract._replace(over=tuple(o for o in self.contract.over if o.operand == 0)))
        register_contract(Pair, self.contract)
        try:
            yield ctx
        finally:
            storage_contract._registered.clear()  # pyright: ignore
            storage_contract._registered.update(before)  # pyright: ignore


@pytest.mark.parametrize(
    ("contract", "behind", "want"),
    [
        (Contract((InPlace(0, 0),)), "relu", ["restricting", "restricting", "none"]),
        (Contract((InPlace(0, 0),)), "opaque", ["none", "non_restricting", "restricting"]),
        (Contract((InPlace(0, 0),), backward=Backward()), "opaque", ["none", "non_restricting", "restricting"]),
        (Contract((InPlace(0, 0),), backward=Backward()), "relu", ["restricting", "none", "restricting"]),
        (
            Contract((InPlace(0, 0),), backward=Backward(results=frozenset({0}))),
            "opaque",
            ["none", "restricting", "none"],
        ),
        (
            Contract((InPlace(0, 0),), backward=Backward(operands=frozenset({0}))),
            "opaque",
            ["none", "restricting", "none"],
        ),
        (Contract(), "opaque", ["none", "none", "restricting"]),
    ],
)
def test_layer_of_another_dialect_follows_its_contract(contract: Contract, behind: str, want: list[str]) -> None:
    """Without a backward pass it is always in place, and passes a restriction on."""
    kind = ' {kind = "conv"}' if behind == "opaque" else ""
    text = module(
        f'%a = "dnn.{behind}"(%c){kind} : (T) -> T', '%b = "own.layer"(%a) : (T) -> T', '%r = "dnn.tanh"(%b) : (T) -> T'
    )
    with Own(contract).registered() as ctx:
        found = parse(ctx, text, "test.mlir")
        func = next(op for op in found.walk() if isinstance(op, FuncOp))
        program = NumberedOps.of(func)
        assert program is not None
        plan = decide(program, False)
    assert [plan.modes[by_name(plan, name)] for name in "abr"] == want


@pytest.mark.parametrize("strategy", ["nntrainer", "optimal"])
@pytest.mark.parametrize(
    ("contract", "want"),
    [
        (Contract((InPlace(0, 0),), backward=Backward()), "both"),
        (Contract((InPlace(0, 0),)), "values"),
        (Contract(views=(View(0, 0, permuted((0, 1, 2, 3))),), backward=Backward(), strided=True), "both"),
        (Contract(backward=Backward()), None),
    ],
)
def test_layer_of_another_dialect_shares_by_its_contract(contract: Contract, want: str | None, strategy: str) -> None:
    """Gradients where it is in place and has a backward op."""
    text = module('%b = "own.layer"(%c) : (T) -> T', '%r = "dnn.opaque"(%b) {kind = "conv"} : (T) -> T')
    with Own(contract).registered() as ctx:
        found = parse(ctx, text, "test.mlir")
        InplacePass(strategy, shares=True).apply(ctx, found)
    said = next(op for op in found.walk() if op.name == "own.layer").attributes.get(SHARES)
    assert said == (None if want is None else StringAttr(want))


@pytest.mark.parametrize(("operands", "want"), [("%a, %d", "none"), ("%d, %a", "none"), ("%d, %e", "non_restricting")])
def test_any_input_of_a_layer_of_another_dialect_restricts_it(operands: str, want: str) -> None:
    """%a is in place and restricts the next op; %d and %e are not."""
    text = module(
        '%a = "dnn.relu"(%c) : (T) -> T',
        '%d = "dnn.opaque"(%x) {kind = "conv"} : (T) -> T',
        '%e = "dnn.opaque"(%x) {kind = "conv"} : (T) -> T',
        f'%r = "own.pair"({operands}) : (T, T) -> T',
    )
    with Own(Contract((InPlace(0, 0), InPlace(0, 1)), backward=Backward())).registered() as ctx:
        program = NumberedOps.of(next(op for op in parse(ctx, text, "test.mlir").walk() if isinstance(op, FuncOp)))
        assert program is not None
        plan = decide(program, False)
    assert plan.modes[by_name(plan, "r")] == want


def test_a_multiout_is_in_place_if_all_its_results_are() -> None:
    lines = (
        '%p, %q = "dnn.multiout"(%c) {dnn.reuse = array<i32: NUMBER, -1>} : (T) -> (T, T)',
        '%r = "dnn.opaque"(%p, %q) {kind = "conv"} : (T, T) -> T',
    )
    assert modes(module(*lines).replace("NUMBER", "-1"))["p"] == "restricting"
    assert modes(module(*lines).replace("NUMBER", "5"))["p"] == "none"


def test_ops_that_the_loss_does_not_depend_on_may_come_before_layers() -> None:
    """%m is made from %n and reads what the gradient of the layer %g, which follows, would read."""
    text = f"""func.func @main(%x: {T}) -> (tensor<f32> {{dnn.loss}}, {T}) {{
      %a = "dnn.opaque"(%x) {{kind = "conv"}} : ({T}) -> {T}
      %n = "dnn.neg"(%a) : ({T}) -> {T}
      %m = "dnn.add"(%n, %a) : ({T}, {T}) -> {T}
      %g = "dnn.gelu"(%a) : ({T}) -> {T}
      %l = "dnn.reduce_sum"(%g) : ({T}) -> tensor<f32>
      func.return %l, %m : tensor<f32>, {T}
    }}"""
    plan = planned("nntrainer", text)
    assert reasons(plan)["m"] == "not-listed"


TRAINED = """!T = tensor<2x3x4x4xf32>
!C = tensor<3xf32>
func.func @main(%x: !T, %s: !C, %b: !C, %m: !C, %v: !C, %dy: !T) -> (!T, !C) {
  %c = "dnn.opaque"(%x) {kind = "conv"} : (!T) -> !T
  %n = "dnn.batch_norm"(%c, %s, %b, %m, %v) : (!T, !C, !C, !C, !C) -> !T
  %r = "dnn.relu"(%n) : (!T) -> !T
  %dn = "dnn.relu_grad"(%r, %dy) : (!T, !T) -> !T
  %dx, %ds, %db = "dnn.batch_norm_grad"(READ, %s, %m, %v, %dn) {fixed = true} : (!T, !C, !C, !C, !T) -> (!T, !C, !C)
  func.return %dx, %ds : !T, !C
}"""


@pytest.mark.parametrize(("read", "refused"), [("%c", "backward-needs"), ("%dy", None)])
def test_a_gradient_that_reads_the_input_refuses_batch_norm(read: str, refused: str | None) -> None:
    """The table says that the backward of batch_norm reads nothing; the real one reads x."""
    plan = planned("nntrainer", TRAINED.replace("READ", read))
    assert reasons(plan).get("n") == refused
