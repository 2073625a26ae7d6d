"""What primitives are made from, as plain data: two recipes that are equal make the same primitive."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from lastuse.runtime import _core

LAYOUTS = 256
"""Layouts that are kept: primitives made one after the other have some in common, which then are one object."""
PRIMITIVES = 512
"""Primitives that are kept beside those of programs, the ones asked for last. Each reserves 256 KiB of address
space for its code, and touches a few pages of them."""


class Layout(NamedTuple):
    """A `_core.Desc` of these sizes and strides in elements; where there are none, the primitive chooses them.

    `exact`: the strides of axes of one element are kept.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    exact: bool = False

    def make(self) -> _core.Desc:
        """Raises `_core.Error` where oneDNN has no such layout."""
        return _desc(self)


@lru_cache(maxsize=LAYOUTS)
def _desc(layout: Layout) -> _core.Desc:
    if layout.strides is None:
        return _core.Desc.any_layout(layout.dtype, layout.shape)
    return _core.Desc(layout.dtype, layout.shape, layout.strides, layout.exact)


class WindowRecipe(NamedTuple):
    """A `_core.Window`."""

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def make(self) -> _core.Window:
        return _core.Window(*self)


class PostOpPart(NamedTuple):
    """A `_core.PostOp`."""

    kind: str
    alg: str
    alpha: float
    beta: float
    operand: Layout | None

    def make(self) -> _core.PostOp:
        return _core.PostOp(*self[:-1], None if self.operand is None else self.operand.make())


class Conversion(NamedTuple):
    """An operand (`with_operand`) or result (`with_result`) that the step has in another layout."""

    method: str
    number: int
    layout: Layout


class Recipe(NamedTuple):
    """A call of a maker of the core, `_core.matmul`.

    Attributes:
        maker: its name.
        arguments: numbers, words, layouts and tuples of them, but for the last one.
        threads: the last argument.
        conversions: of what it makes, in order.
    """

    maker: str
    arguments: tuple[Any, ...]
    threads: int
    conversions: tuple[Conversion, ...] = ()

    @staticmethod
    def of(maker: str, *arguments: Any) -> Recipe:
        """The call with these arguments, the last one the threads."""
        *rest, threads = arguments
        return Recipe(maker, tuple(tuple(a) if isinstance(a, list) else a for a in rest), threads)

    def converted(self, method: str, number: int, layout: Layout) -> Recipe:
        """The same, then `method` of what it makes."""
        return self._replace(conversions=(*self.conversions, Conversion(method, number, layout)))

    def with_weights(self, layout: _core.Desc) -> Recipe:
        """The same with its second operand, weights, in this layout."""
        return self._replace(arguments=(self.arguments[0], layout, *self.arguments[2:]))

    def make(self) -> _core.Primitive:
        """Raises `_core.Error` where there is no such primitive."""
        return self._made_by(_core)

    def pending(self) -> _core.PendingPrimitive:
        """What `_core.make_all` makes it of. Raises `_core.Error` where oneDNN has no layout of it."""
        return self._made_by(_core.PendingPrimitive)

    def _made_by(self, makers: Any) -> Any:
        primitive = getattr(makers, self.maker)(*map(_made, self.arguments), self.threads)
        for conversion in self.conversions:
            primitive = getattr(primitive, conversion.method)(conversion.number, conversion.layout.make())
        return primitive


def _made(argument: Any) -> Any:
    if isinstance(argument, Layout | WindowRecipe | PostOpPart):
        return argument.make()
    return [_made(part) for part in argument] if isinstance(argument, tuple) else argument


def primitive_from(recipe: Recipe) -> _core.Primitive:
    """What the recipe makes, the same one as long as a program holds it. Raises `_core.Error` as `make` does."""
    key = _key(recipe)
    kept = _kept(key)
    return kept[0] if kept else _keep(key, kept, recipe.make())


def primitives_from(recipes: Sequence[Recipe], threads: int) -> list[_core.Primitive]:
    """What each recipe makes, the same ones as long as a program holds them, as one of many sizes does: no others are
    kept. Those that are missing are made on so many threads at once.

    Raises:
        _core.Error: there is no primitive of some recipe; of the first one.
    """
    keys = list(map(_key, recipes))
    found = {key: primitive for key in keys if (primitive := _held.get(key)) is not None}
    missing = {key: recipe for key, recipe in zip(keys, recipes, strict=True) if key not in found}
    if missing:
        made = _core.make_all([recipe.pending() for recipe in missing.values()], threads)
        found |= zip(missing, made, strict=True)
        _held.update({key: found[key] for key in missing})
    return [found[key] for key in keys]


def _key(recipe: Recipe) -> str:
    """What a primitive is kept by: all that tells its recipe from others, as text, which is a quarter of its tuples."""
    parts: list[object] = [recipe.maker, recipe.threads]
    for part in (*recipe.arguments, *recipe.conversions):
        _add_parts(part, parts)
    return repr(parts)


def _add_parts(part: object, parts: list[object]) -> None:
    """Adds numbers, words, and tuples of integers, of which `repr` tells all; of floats it tells 0.0 from -0.0."""
    if isinstance(part, Layout):
        parts += ("layout", part.dtype.num, part.dtype.str, *part[1:])
    elif isinstance(part, tuple):
        parts += (type(part).__name__, len(part))
        for inner in part:  # pyright: ignore[reportUnknownVariableType]
            _add_parts(inner, parts)
    else:
        parts.append(part)


_held: WeakValueDictionary[str, _core.Primitive] = WeakValueDictionary()
"""The primitives that programs hold, or `_kept`, by `_key`."""


@lru_cache(maxsize=PRIMITIVES)
def _kept(key: str) -> list[_core.Primitive]:
    """Where a primitive is kept once it is made: two threads may make it."""
    held = _held.get(key)
    return [] if held is None else [held]


def _keep(key: str, places: list[_core.Primitive], primitive: _core.Primitive) -> _core.Primitive:
    places.append(primitive)
    _held[key] = primitive
    return places[0]
