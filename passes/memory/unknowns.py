"""What a plan of memory cannot know: sizes, scratch, and the memory of what foreign ops return."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.ir.call_graph import functions_of_module
from lastuse.dialect.ir.cfg import reverse_postorder
from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.assignment import PlaceKind, assign_places
from lastuse.dialect.storage.shape_inference import Sizes, infer_shapes
from lastuse.dialect.storage.specialization import unknown_sizes
from lastuse.passes.memory.frame_layout import returns_of
from lastuse.passes.memory.memory_model import is_from_call


class Unknown(NamedTuple):
    """Something that is not known: the op that it is of, and what, as the subject of a sentence."""

    op: Operation
    what: str
    help: str


def unknown_memory(func: FuncOp, is_known: Callable[[Operation], bool]) -> Iterator[Unknown]:
    """
    What a plan of `func` leaves out because its bytes are not known.

    Args:
        is_known: whether the contract of an op has all the scratch it takes.
    """
    for op in func.walk():
        if not is_known(op):
            help_ = "lastuse's own tools measure it when all sizes are known, dnn.scratch_bytes states it"
            yield Unknown(op, f"the scratch of {op_name(op)}", help_)
    functions = functions_of_module(func)
    for value, place in assign_places(func).of.items():
        storage = place.storage
        if storage.kind is not PlaceKind.BORROWED or storage.key is not value or not isinstance(value, OpResult):
            continue
        if not is_from_call(storage, functions):
            yield Unknown(
                value.op,
                f"the memory of {attrs.display_name(value)}, a result of {op_name(value.op)},",
                "a contract registered for the op tells it (lastuse.register_contract)",
            )


def why_unplanned(func: FuncOp) -> str:
    """Why nothing can be planned for a function that has no demand, and what would help."""
    if not returns_of(func):
        return "control never leaves the function"
    if any(block not in set(reverse_postorder(func.body)) for block in func.body.blocks):
        return "a block is never reached"
    sizes = infer_shapes(func)
    bound = unknown_sizes(func)
    names = sorted({name for value in sizes for name in _symbols(value, sizes)})
    known = [name for name in names if name in bound]
    if known:
        quoted = ", ".join(f"'{name}'" for name in known)
        binds = ",".join(f"{name}=N" for name in known)
        verb = "size {} is" if len(known) == 1 else "sizes {} are"
        return f"{verb.format(quoted)} not known; --specialize-pass={binds} before this pass binds it"
    value = next((v for v in sizes if any(True for _ in _symbols(v, sizes))), None)
    if value is None:
        return "a size is not known"
    return f"the size of {attrs.display_name(value)} is not known before a run"


def _symbols(value: SSAValue, sizes: Sizes) -> Iterator[str]:
    for size in sizes[value].known:
        if not isinstance(size, int):
            yield from map(str, size.symbols)
