"""What an op is on memrefs. A dialect's module of forms is loaded at the first op of the dialect."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.passes.bufferization.memref_context import MemrefContext
from lastuse.passes.bufferization.memref_types import Index


class MemrefForm(NamedTuple):
    """An op on memrefs.

    Attributes:
        compute: emits the op: it reads the memrefs of its operands and writes those of its results.
        view: for a view, emits its memref, given that of its operand.
        part: emits the part of the op's result, whose memref is given, in which that operand lies.
        sizes: the sizes of its result.
        joins_axes: the view is one of memory without gaps.
        any_rank: operands and results may be of unknown rank.
    """

    compute: Callable[[Operation, MemrefContext], None] | None = None
    view: Callable[[Operation, SSAValue, MemrefContext], SSAValue] | None = None
    part: Callable[[Operation, int, SSAValue, MemrefContext], SSAValue] | None = None
    sizes: Callable[[Operation, MemrefContext], list[Index]] | None = None
    joins_axes: bool = False
    any_rank: bool = False


_FORMS: dict[str, MemrefForm] = {}
_OTHERS: dict[str, MemrefForm] = {}
_DIALECTS = {
    "arith": "elementwise_forms",
    "math": "elementwise_forms",
    "linalg": "linalg_forms",
    "tensor": "tensor_forms",
    "vector": "transfer_forms",
    "bufferization": "transfer_forms",
}
_loaded: set[str] = set()


def declare_form(name: str, form: MemrefForm) -> None:
    """The form of the ops called `name`; of `dialect.*`, that of all others of the dialect."""
    if name.endswith(".*"):
        _OTHERS[name[:-2]] = form
    else:
        _FORMS[name] = form
    _form_called.cache_clear()


def form_of(op: Operation) -> MemrefForm | None:
    """The form of an op, None where it has none."""
    return _form_called(op_name(op))


@lru_cache(maxsize=1 << 10)
def _form_called(name: str) -> MemrefForm | None:
    dialect = name.partition(".")[0]
    if dialect in _DIALECTS and dialect not in _loaded:
        _loaded.add(dialect)
        import_module(f"lastuse.passes.bufferization.{_DIALECTS[dialect]}")
    return _FORMS.get(name) or _OTHERS.get(dialect)
