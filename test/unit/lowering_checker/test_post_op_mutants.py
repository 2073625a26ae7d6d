"""The lowering checker refuses every step whose post-ops are not those of its op, in their order, on their operands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, ModuleOp, StringAttr, f32
from xdsl.utils.exceptions import VerifyException

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.onednn.primitives.post_ops import PostOpStepBase
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering_checker import check
from lastuse.passes.plan import PlanPass

POST_OPS = '[{op = "dnn.add", sum}, {op = "dnn.clip", min = 0.0 : f32, max = 6.0 : f32}, {op = "dnn.mul"}, OP]'
PRODUCTS = {
    "conv": ('"dnn.conv"(%x, %w, %b, %t, %m, %n)', "channels_last = true, ", "1x5x4x6", "8x6x1x1", "1x5x4x8"),
    "gemm": ('"dnn.gemm"(%x, %w, %t, %m, %n)', "", "5x6", "6x8", "5x8"),
    "matmul": ('"dnn.matmul"(%x, %w, %t, %m, %n)', "", "3x5x6", "6x8", "3x5x8"),
}


def text(kind: str) -> str:
    """A product with a sum, a function and two rows; the memory of what the sum adds is the result's."""
    call, attributes, x, w, y = PRODUCTS[kind]
    row = "tensor<8xf32>"
    types = [f"tensor<{x}xf32>", f"tensor<{w}xf32>", *([row] if "%b" in call else []), f"tensor<{y}xf32>", row, row]
    post_ops = POST_OPS.replace("OP", '{op = "dnn.sub"}')
    return f"""
func.func @main(%x: {types[0]}, %w: {types[1]}, %b: {row}, %m: {row}, %n: {row}, %r: tensor<{y}xf32>)
    -> tensor<{y}xf32> {{
  %t = "dnn.tanh"(%r) : (tensor<{y}xf32>) -> tensor<{y}xf32>
  %v = {call} {{{attributes}post_ops = {post_ops}}} : ({", ".join(types)}) -> tensor<{y}xf32>
  %u = "dnn.sigmoid"(%v) : (tensor<{y}xf32>) -> tensor<{y}xf32>
  func.return %u : tensor<{y}xf32>
}}
"""


def lowered(kind: str) -> tuple[ModuleOp, PostOpStepBase]:
    module = parse(context(), text(kind), f"{kind}.mlir")
    PlanPass().apply(context(), module)
    LowerToOnednnPass().apply(context(), module)
    (step,) = (op for op in module.walk() if isinstance(op, PostOpStepBase))
    return module, step


def entry(**fields: Any) -> DictionaryAttr:
    texts = {k: StringAttr(v) if isinstance(v, str) else FloatAttr(v, f32) for k, v in fields.items()}
    return DictionaryAttr(texts)


REPLACED = (
    (0, entry(kind="binary", alg="add")),
    (1, entry(kind="eltwise", alg="relu")),
    (1, entry(kind="eltwise", alg="clip", beta=5.0)),
    (1, entry(kind="eltwise", alg="clip", alpha=-1.0, beta=6.0)),
    (1, entry(kind="eltwise", alg="tanh")),
    (2, entry(kind="binary", alg="add")),
    (2, entry(kind="binary", alg="div")),
    (2, entry(kind="binary", alg="sub")),
    (3, entry(kind="binary", alg="add")),
    (3, entry(kind="binary", alg="mul")),
    (3, entry(kind="binary", alg="max")),
)
"""The number of a post-op, and another one in its place."""


def mutated() -> Iterator[tuple[str, list[int | tuple[int, DictionaryAttr]]]]:
    """Each a name, and the post-ops: by number, or another one in the place of a number."""
    own: list[int | tuple[int, DictionaryAttr]] = [0, 1, 2, 3]
    for order in permutations(range(4)):
        if order != (0, 1, 2, 3):
            yield "order " + "".join(map(str, order)), list(order)
    for number in range(4):
        yield f"without {number}", [k for k in own if k != number]
        yield f"twice {number}", [*own[: number + 1], number, *own[number + 1 :]]
    for place, (number, other) in enumerate(REPLACED):
        yield f"replaced {place}", [*own[:number], (number, other), *own[number + 1 :]]
    yield "none", []


MUTANTS = dict(mutated())


def is_refused(module: ModuleOp, step: PostOpStepBase) -> bool:
    """By the step's own verifier, or else by the checker."""
    try:
        step.verify()
        check(module)
    except (VerifyException, LastuseError):
        return True
    return False


@pytest.mark.parametrize("kind", PRODUCTS)
def test_the_step_of_the_op_is_taken(kind: str) -> None:
    module, step = lowered(kind)
    assert not is_refused(module, step)


@pytest.mark.parametrize("kind", PRODUCTS)
def test_other_post_ops_are_refused(kind: str) -> None:
    module, step = lowered(kind)
    assert step.post_ops is not None and len(MUTANTS) == 43
    stated = step.post_ops.data
    taken: list[str] = []
    for name, entries in MUTANTS.items():
        step.post_ops = ArrayAttr([stated[each] if isinstance(each, int) else each[1] for each in entries])
        if not is_refused(module, step):
            taken.append(name)
    assert not taken
    step.post_ops = ArrayAttr(stated)
    assert not is_refused(module, step)


@pytest.mark.parametrize("kind", PRODUCTS)
def test_operands_of_other_post_ops_are_refused(kind: str) -> None:
    """Two rows exchanged, one in the place of both, and a row as what the sum adds."""
    module, step = lowered(kind)
    own = list(step.ins)
    residual, m, n = range(len(own) - 3, len(own))
    for number, other in ((m, n), (n, m), (residual, m), (m, residual), (m, 0), (n, 1)):
        step.operands[number] = own[other]
        assert is_refused(module, step), (number, other)
        step.operands[number] = own[number]
    step.operands[m], step.operands[n] = own[n], own[m]
    assert is_refused(module, step)
    step.operands[m], step.operands[n] = own[m], own[n]
    assert not is_refused(module, step)
