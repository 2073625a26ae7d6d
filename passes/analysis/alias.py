"""Alias analysis: classes of values that may share bytes, by the storages that decisions, views and foreign ops give.

Views compose to one strided map into the value they started from, so that disjoint parts are told apart
(`Share.layout`); the class is the coarser answer, one number for all that lives in one storage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.region_contents import read_by
from lastuse.dialect.storage.assignment import Place, PlaceKind, Places, Storage, assign_places
from lastuse.dialect.storage.contract import is_foreign
from lastuse.dialect.storage.layout import Layout, Strided
from lastuse.dialect.storage.place_rules import dense
from lastuse.passes.analysis.disjoint_sets import DisjointSets


@dataclass(frozen=True)
class Share:
    """A value's bytes lie in the storage of `root`; `whole`: all of its bytes; `may`: perhaps any of them (foreign)."""

    root: SSAValue
    layout: Layout
    whole: bool
    may: bool = False


@dataclass(frozen=True)
class AliasClasses:
    """`number`: the class of every tensor value. `shares`: the values whose bytes a value has, if not its own."""

    number: Mapping[SSAValue, int]
    shares: Mapping[SSAValue, tuple[Share, ...]]
    places: Places


def alias_classes(func: FuncOp) -> AliasClasses:
    """Classes of the values of `func`, under the decisions it carries."""
    placed = assign_places(func)
    classes, opened = DisjointSets[Storage](), dict[Storage, SSAValue]()
    shares: dict[SSAValue, tuple[Share, ...]] = {}
    for value, place in placed.of.items():
        opened.setdefault(place.storage, value)
        if place.storage.kind is PlaceKind.BORROWED and place.storage.key is value:
            shares[value] = tuple(_borrowed(value, placed, classes))
        elif opened[place.storage] is not value:
            root = opened[place.storage]
            shares[value] = (Share(root, place.layout, _is_whole(place, placed.of[root])),)
    numbers: dict[Storage, int] = {}
    number: dict[SSAValue, int] = {}
    for value in placed.sizes:
        number[value] = numbers.setdefault(classes.find(placed.of[value].storage), len(numbers))
    return AliasClasses(number, shares, placed)


def _borrowed(value: SSAValue, placed: Places, classes: DisjointSets[Storage]) -> list[Share]:
    """What a result of a foreign op, or an argument of a block of one, may be any bytes of.

    That is what the op is given and what its regions capture; a result may be what they end in, too.
    """
    op = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    assert op is not None and is_foreign(op)
    sources = read_by(op)
    if op is value.owner:
        sources += [
            v for r in op.regions for b in r.blocks for v in (b.last_op.operands if b.last_op is not None else ())
        ]
    sources = [source for source in dict.fromkeys(sources) if source in placed.of]
    for source in sources:
        classes.union(placed.of[value].storage, placed.of[source].storage)
    return [Share(source, dense(placed.sizes[source]), whole=False, may=True) for source in sources]


def _is_whole(place: Place, root: Place) -> bool:
    if isinstance(place.layout, Strided) and isinstance(root.layout, Strided):
        return place.layout.nbytes == root.layout.nbytes
    # A storage number may have values of known and of unknown size: then it is not known.
    return type(place.layout) is type(root.layout)
