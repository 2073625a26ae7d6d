"""Random graphs of elementwise ops: as maps they compute what the ops do, one after the other, and planned what they
compute naive, bit for bit. Steps that compute another map are refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, FloatAttr, ModuleOp, StringAttr, f32, i64
from xdsl.ir import Attribute

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn.map_op import MapOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.dialect.storage import verifier
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering_checker import check
from lastuse.passes.map_fusion import MapFusionPass
from lastuse.passes.plan import PlanPass

UNARY = ("relu", "abs", "neg", "tanh", "hard_swish", "sign", "softmax")
BINARY = ("add", "sub", "mul", "maximum", "less", "greater")


@st.composite
def graphs(draw: st.DrawFn) -> str:
    """Up to twelve ops on values of several sizes and types; a softmax in between ends a map."""
    wide = draw(st.sampled_from(["", "0x", "1x", "70x"]))
    values = {"%x": wide + "4x6", "%y": wide + "4x6", "%row": "6", "%column": "4x1", "%one": ""}
    lines, found = list[str](), ["%x", "%y"]
    for number in range(draw(st.integers(2, 12))):
        made, a = f"%v{number}", draw(st.sampled_from(found))
        b, whole = draw(st.sampled_from(sorted(values))), f"tensor<{_of(wide + '4x6')}>"
        if draw(st.booleans()):
            lines.append(f'{made} = "dnn.{draw(st.sampled_from(UNARY))}"({a}) : ({whole}) -> {whole}')
        else:
            name, b_type = draw(st.sampled_from(BINARY)), f"tensor<{_of(values[b])}>"
            if name in ("less", "greater"):
                truths = f"tensor<{wide}4x6xi1>"
                lines.append(f'{made}c = "dnn.{name}"({a}, {b}) : ({whole}, {b_type}) -> {truths}')
                lines.append(f'{made} = "dnn.where"({made}c, {b}, {a}) : ({truths}, {b_type}, {whole}) -> {whole}')
            elif draw(st.booleans()):
                lines.append(f'{made} = "dnn.{name}"({a}, {b}) : ({whole}, {b_type}) -> {whole}')
            else:
                lines.append(f'{made} = "dnn.{name}"({b}, {a}) : ({b_type}, {whole}) -> {whole}')
        values[made] = wide + "4x6"
        found.append(made)
    results = found[-1:] + draw(st.lists(st.sampled_from(found[2:]), max_size=1))
    types = ", ".join([f"tensor<{_of(wide + '4x6')}>"] * len(results))
    head = ", ".join(f"{name}: tensor<{_of(shape)}>" for name, shape in list(values.items())[:5])
    body = "\n  ".join(lines)
    return f"func.func @main({head}) -> ({types}) {{\n  {body}\n  func.return {', '.join(results)} : {types}\n}}\n"


def _of(shape: str) -> str:
    return shape + "xf32" if shape else "f32"


def results(module: ModuleOp, decide: bool = True) -> list[np.ndarray]:
    program = lastuse.compile(module, threads=1, fuse=False, inplace=decide, plan=decide)
    rng = np.random.default_rng(3)
    shapes = [[size for size in spec.shape if isinstance(size, int)] for spec in program.inputs.values()]
    found = program(*[rng.standard_normal(shape).astype(np.float32) for shape in shapes])
    return list(found) if isinstance(found, tuple) else [found]


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_maps_compute_what_the_ops_do(text: str) -> None:
    module = parse(context(), text, "graph.mlir")
    plain = results(module)
    MapFusionPass().apply(context(), module)
    module.verify()
    fused, naive = results(module), results(module, decide=False)
    for a, b, c in zip(fused, plain, naive, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)
        assert a.tobytes() == c.tobytes()
    before = str(module)
    MapFusionPass().apply(context(), module)
    assert str(module) == before


MAP = """
func.func @main(%x: tensor<4x6xf32> {dnn.donated}, %y: tensor<4x6xf32>, %row: tensor<6xf32>) -> tensor<4x6xf32> {
  %m = "dnn.mul"(%x, %row) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %s = "dnn.sub"(%m, %y) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = "dnn.scale"(%s) {scale = 2.0 : f32, bias = 1.0 : f32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %l = "dnn.less"(%c, %y) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %w = "dnn.where"(%l, %c, %m) : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  func.return %w : tensor<4x6xf32>
}
"""


def lowered() -> tuple[ModuleOp, KernelCallOp]:
    """The module of one map, and its step."""
    module = parse(context(), MAP, "map.mlir")
    MapFusionPass().apply(context(), module)
    assert sum(isinstance(op, MapOp) for op in module.walk()) == 1
    PlanPass().apply(context(), module)
    LowerToOnednnPass().apply(context(), module)
    verifier.verify(module)
    (step,) = (op for op in module.walk() if isinstance(op, KernelCallOp))
    return module, step


def entry(step: KernelCallOp, number: int) -> dict[str, Attribute]:
    assert step.attrs is not None
    body = step.attrs.data["body"]
    assert isinstance(body, ArrayAttr) and isinstance(body.data[number], DictionaryAttr)
    return dict(body.data[number].data)


def change(step: KernelCallOp, number: int, **stated: Attribute | None) -> None:
    """Gives an op of the step's body other entries; without any the op goes."""
    assert step.attrs is not None
    body = step.attrs.data["body"]
    assert isinstance(body, ArrayAttr)
    changed = {key: value for key, value in (entry(step, number) | stated).items() if value is not None}
    ops = list(body.data)
    ops[number : number + 1] = [DictionaryAttr(changed)] if stated else []
    step.attrs = DictionaryAttr({"body": ArrayAttr(ops)})


def numbers(*of: int) -> Attribute:
    return DenseArrayBase.from_list(i64, list(of))


def number(value: float) -> Attribute:
    return FloatAttr(value, f32)


def exchange(step: KernelCallOp, a: int, b: int) -> None:
    step.operands[a], step.operands[b] = step.operands[b], step.operands[a]


MUTANTS: dict[str, Callable[[KernelCallOp], object]] = {
    "swapped operands of a difference": lambda step: change(step, 1, operands=numbers(1, 3)),
    "swapped operands of a product": lambda step: change(step, 0, operands=numbers(2, 0)),
    "swapped operands of a comparison": lambda step: change(step, 3, operands=numbers(1, 5)),
    "swapped choices": lambda step: change(step, 4, operands=numbers(6, 3, 5)),
    "an operand instead of a value": lambda step: change(step, 1, operands=numbers(0, 1)),
    "an earlier value": lambda step: change(step, 2, operands=numbers(3)),
    "an operand for another": lambda step: change(step, 3, operands=numbers(5, 0)),
    "a factor": lambda step: change(step, 2, scale=number(3)),
    "a nearly equal factor": lambda step: change(step, 2, scale=number(float(np.nextafter(np.float32(2), 3)))),
    "no factor": lambda step: change(step, 2, scale=None),
    "a summand": lambda step: change(step, 2, bias=number(-1)),
    "a negative zero": lambda step: change(step, 2, bias=number(-0.0)),
    "another sum": lambda step: change(step, 1, op=StringAttr("dnn.add")),
    "another product": lambda step: change(step, 0, op=StringAttr("dnn.div")),
    "another comparison": lambda step: change(step, 3, op=StringAttr("dnn.less_or_equal")),
    "truth values as numbers": lambda step: change(step, 3, type=f32),
    "another attribute": lambda step: change(step, 0, alpha=number(1)),
    "no choice": lambda step: change(step, 4),
    "no comparison": lambda step: change(step, 3),
    "no product": lambda step: change(step, 0),
    "swapped ins": lambda step: exchange(step, 0, 2),
    "a row for a whole operand": lambda step: exchange(step, 1, 2),
    "one in twice": lambda step: step.operands.__setitem__(2, step.operands[0]),
    "over a broadcast operand": lambda step: step.operands.__setitem__(3, step.operands[1]),
    "over an operand of the caller": lambda step: step.operands.__setitem__(3, step.operands[2]),
}


def test_checker_takes_the_right_map() -> None:
    module, step = lowered()
    assert [entry(step, k)["op"] for k in range(5)] == [
        StringAttr(f"dnn.{name}") for name in ("mul", "sub", "scale", "less", "where")
    ]
    check(module)


@pytest.mark.parametrize("name", MUTANTS)
def test_checker_refuses_another_map(name: str) -> None:
    module, step = lowered()
    text = str(module)
    MUTANTS[name](step)
    assert str(module) != text
    with pytest.raises(LastuseError):
        check(module)
