"""How many files an op, a decision and a buffer pass: what an engineer has to open who follows one of them.

Of the op every file counts in which a function is entered. A decision and a buffer go through whole passes: there a
file counts when one of its functions is called with what is followed as an argument, and not when its functions get
only types, numbers or a whole function of the program.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.arithmetic import AddOp
from lastuse.dialect.onednn.buffers import ViewOp
from lastuse.dialect.onednn.primitives.base import PlacedValue
from lastuse.dialect.onednn.step import PrimitiveBase
from lastuse.dialect.storage.assignment import Storage
from lastuse.dialect.storage.layout import Strided
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.inplace import InplacePass
from lastuse.passes.lower_to_onednn import LowerToOnednnPass
from lastuse.passes.lowering.instruction_selection import separate_steps
from lastuse.passes.memory_plan import MemoryPlanPass
from lastuse.passes.planning.planner import Buffer
from lastuse.runtime.primitive_preparation import primitive_of
from lastuse.runtime.program import Executable
from support import ROOT

TEXT = """func.func @main(%x: tensor<4x8xf32> {dnn.name = "x"}, %y: tensor<4x8xf32> {dnn.name = "y"},
                %w: tensor<8x4xf32> {dnn.name = "w"}) -> (tensor<4x4xf32> {dnn.name = "z"}) {
  %a = "dnn.tanh"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %v = "dnn.add"(%a, %y) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = "dnn.matmul"(%v, %w) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  func.return %z : tensor<4x4xf32>
}"""
PRODUCT = tuple(str(ROOT / folder) for folder in ("dialect", "passes", "runtime", "src", "tools", "frontends"))


def add_in(text: str) -> tuple[Any, Any, AddOp]:
    """A context, the module and its addition."""
    ctx = context()
    module = parse(ctx, text, "route.mlir")
    (op,) = (op for op in module.walk() if isinstance(op, AddOp))
    return ctx, module, op


def arguments(frame: FrameType) -> Iterator[object]:
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    for name in code.co_varnames[:count]:
        yield frame.f_locals.get(name)


def route(work: Callable[[], object], is_followed: Callable[[object], bool] | None = None) -> set[str]:
    """The product's files in which a function is called with something that is followed, or, without it, at all."""
    files: set[str] = set()

    def enter(frame: FrameType, event: str, _: object) -> None:
        path = str(Path(frame.f_code.co_filename).resolve())
        if event != "call" or path in files or not path.startswith(PRODUCT):
            return
        sys.setprofile(None)
        if is_followed is None or any(map(is_followed, arguments(frame))):
            files.add(path)
        sys.setprofile(enter)

    sys.setprofile(enter)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {str(Path(path).relative_to(ROOT)) for path in files}


def table(heading: str) -> set[str]:
    """The Python files that a table of docs/architecture.md names."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = page.split(f"| {heading} | file |\n")[1].split("\n\n")[0]
    return set(re.findall(r"`([\w/]+\.py)`", rows))


def test_an_op_from_its_class_to_its_primitive() -> None:
    _, _, op = add_in(TEXT)
    sizes = (4, 1019)  # of no other test: a primitive that is kept takes a shorter way
    values = [PlacedValue(Strided.dense(sizes, 4), "f32", storage, None) for storage in range(3)]
    steps: list[Operation] = []

    def work() -> None:
        op.verify()
        steps.extend(step for step in separate_steps(op, values) if isinstance(step, PrimitiveBase))
        primitive_of(steps[0], threads=1)

    files = route(work)
    assert table("an op: `dnn.add`") <= files
    assert len(files) <= 15, sorted(files)


def test_a_decision_from_its_flag_to_its_attribute() -> None:
    ctx, module, op = add_in(TEXT)
    followed: set[object] = {op, *op.results}
    files = route(lambda: InplacePass().apply(ctx, module), lambda it: is_one_of(it, followed))
    assert "dnn.inplace" in op.attributes
    files.add("passes/inplace.py")
    assert len(files) <= 14, sorted(files)


def test_a_buffer_from_its_life_to_its_pointer() -> None:
    ctx, module, op = add_in(TEXT)
    result = op.results[0]

    def work() -> None:
        MemoryPlanPass().apply(ctx, module)
        offset = op.attributes["dnn.offset"]
        assert offset
        LowerToOnednnPass(verify=False).apply(ctx, module)
        Executable(module)

    def is_buffer(it: object) -> bool:
        if isinstance(it, Storage):
            return it.key is result
        if isinstance(it, Buffer):
            return True
        return isinstance(it, ViewOp) or isinstance(it, OpResult) and isinstance(it.op, ViewOp)

    files = route(work, is_buffer)
    assert len(files) <= 12, sorted(files)


def is_one_of(it: object, followed: set[object]) -> bool:
    return isinstance(it, Operation | SSAValue) and it in followed
