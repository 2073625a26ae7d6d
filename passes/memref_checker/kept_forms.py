"""A module on memrefs against the functions on tensors that stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import topological_order

Check = Callable[[Sequence[FuncOp], ModuleOp], Iterable[LastuseError]]


def prove(source: ModuleOp, form: ModuleOp, check: Check) -> None:
    """Proves every function of `form` against that of its name in `source`; `check` is given them in order.

    Raises:
        LastuseError: one is not proved, or the two modules have not the same functions.
    """
    ours, theirs = _by_name(source), _by_name(form)
    for name in ours.keys() | theirs.keys():
        _same_kind(name, ours, theirs, form)
    bodies = {name: func for name, func in ours.items() if func.body.blocks}
    for wrong in check([*reversed(topological_order(bodies))], form):
        raise wrong


def _by_name(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def _same_kind(name: str, ours: Mapping[str, FuncOp], theirs: Mapping[str, FuncOp], form: ModuleOp) -> None:
    if name not in theirs:
        raise LastuseError(f"the memref form is wrong: it has no function @{name}", form)
    if name not in ours:
        raise LastuseError(f"the memref form is wrong: its source has no function @{name}", theirs[name])
    if bool(ours[name].body.blocks) != bool(theirs[name].body.blocks):
        raise LastuseError(f"the memref form is wrong: @{name} has a body here or in its source alone", theirs[name])
