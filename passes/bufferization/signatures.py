"""How functions take and give memory, and what the module keeps for all of them."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, SSAValue

from lastuse.dialect.storage.layout import ALIGNMENT
from lastuse.passes.bufferization.memref_types import dense_type


class Boundary(NamedTuple):
    """How functions take and give memory; the options of the pass."""

    arena: str
    results: str
    strided: bool


class MemrefSignature(NamedTuple):
    """A function on memrefs, for those that call it.

    Attributes:
        inputs: the types of its parameters, behind them those of the results it writes, and its arena.
        outputs: the types of what it returns.
        arena_bytes: of the arena that it takes; None where it takes none.
        lent: numbers of the results that it returns in memory of its arguments.
    """

    inputs: tuple[Attribute, ...]
    outputs: tuple[Attribute, ...]
    arena_bytes: int | None = None
    lent: frozenset[int] = frozenset()


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of a value that is a tensor of known rank."""
    assert isinstance(value.type, TensorType)
    return value.type


def global_of(name: str, type_: TensorType[Attribute], content: DenseIntOrFPElementsAttr) -> memref.GlobalOp:
    """A constant of a module, of the memory of a tensor."""
    private = StringAttr("private")
    return memref.GlobalOp.get(StringAttr(name), dense_type(type_), content, private, UnitAttr(), ALIGNMENT)
