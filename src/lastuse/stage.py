"""A stage in another pipeline: a module on tensors becomes one on memrefs, in place."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from lastuse.passes.bufferize import BufferizePass

__all__ = ["bufferize"]


def bufferize(
    module: ModuleOp,
    arena: str = "alloc",
    results: str = "return",
    layouts: str = "strided",
    arguments: str = "declared",
    unproved: str = "warning",
    source: str = "drop",
    ctx: Context | None = None,
) -> None:
    """Changes `module` as `--bufferize-pass` does: functions on tensors become functions on memrefs.

    Args:
        module: verified; its functions are replaced.
        arena: `alloc`, `argument` or `none`.
        results: `return` or `out`.
        layouts: of arguments, `strided` or `identity`.
        arguments: `declared`: an argument is written only if it has `dnn.donated`; `writable`: unless it has
            `bufferization.writable = false`.
        unproved: what becomes of a form that is not proved, `warning`, `remark` or `error`.
        source: `keep`: the functions on tensors stay beside the form, for `--verify-lowering-pass`; `drop`.
        ctx: collects remarks and warnings, if it is a `ToolContext`.

    Raises:
        LastuseError: an op has no memref form, an option is none, or decisions in the module are wrong.
    """
    BufferizePass(arena, results, layouts, arguments, unproved, source).apply(ctx or Context(), module)
