"""How functions take and give memory, and what the module keeps for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


class ModuleConstants:
    """The constants of a module on memrefs.

    Args:
        taken: names of other symbols.

    Attributes:
        made: what holds them, by content and type.
    """

    def __init__(self, taken: Iterable[str], made: Mapping[tuple[Attribute, Attribute], memref.GlobalOp] = {}) -> None:
        self._taken = {*taken}
        self.made = dict(made)

    def copied(self) -> ModuleConstants:
        """The same ones, to which others may be added."""
        return ModuleConstants(self._taken, self.made)

    def adopt(self, other: ModuleConstants) -> None:
        """Becomes those of a copy."""
        self._taken, self.made = other._taken, other.made

    def name_of(self, content: DenseIntOrFPElementsAttr, type_: TensorType[Attribute]) -> str:
        """The symbol of a constant, of the memory of a tensor."""
        key = content, type_
        if key not in self.made:
            number = len(self.made)
            while (name := f"__constant_{number}") in self._taken:
                number += 1
            self._taken.add(name)
            private = StringAttr("private")
            self.made[key] = memref.GlobalOp.get(
                StringAttr(name), dense_type(type_), content, private, UnitAttr(), ALIGNMENT
            )
        return self.made[key].sym_name.data
