"""`--verify-lowering-pass`: the checker of lowering as a pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lastuse.dialect.ir.kept_source import inner_modules, kept_source
from lastuse.passes.lowering_checker import check


@dataclass(frozen=True)
class VerifyLoweringPass(ModulePass):
    """Prove that lowered functions compute the same: on every path, every step reads the bytes that its op reads, and
    at the return each result is where the caller expects it.

    Requires: verified IR; beside the functions what they were made from: `onednn.source`, which
        `--lower-to-onednn-pass` leaves, or `builtin.module @lastuse.source`, which `--bufferize-pass=source=keep`
        leaves.
    Guarantees: the lowered functions return what the `dnn` functions return, for all inputs, as far as ops and steps
        compute what they declare; otherwise an error at the step that reads other bytes, or computes another op than it
        names, with the value and the bytes. Functions on memrefs likewise, against their functions on tensors; an error
        at the op that reads or writes other memory, or that is not shown to compute what its op does.
    Leaves alone: everything.
    Example: two steps are exchanged: an error at the step that now reads bytes before they are written.
    """

    name: ClassVar[str] = "verify-lowering-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept = [(source, module) for module in _all_modules(op) if (source := kept_source(module)) is not None]
        if not kept:
            check(op)
            return
        from lastuse.passes.memref_checker import check_form  # few modules are forms on memrefs

        for source, module in kept:
            check_form(source, module)


def _all_modules(module: ModuleOp) -> Iterator[ModuleOp]:
    yield module
    for inner in inner_modules(module):
        yield from _all_modules(inner)
