"""Primitives that are made several at a time are those that are made one by one."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from products import parallel

from lastuse.runtime import _core
from lastuse.runtime.primitive_recipes import PRIMITIVES, Layout, Recipe, WindowRecipe, primitive_from, primitives_from

F32 = np.dtype(np.float32)
WINDOW = WindowRecipe((1, 1), (1, 1), (1, 1), (1, 1))


def matmul(rows: int, threads: int, inner: int = 24) -> Recipe:
    src, dst = Layout(F32, (rows, 24), (24, 1)), Layout(F32, (rows, 40), (40, 1))
    return Recipe.of("matmul", src, Layout(F32, (inner, 40), None), None, dst, 1.0, 0.0, (), threads)


def conv(width: int, threads: int) -> Recipe:
    src, dst = Layout(F32, (1, 8, 6, width), None), Layout(F32, (1, 16, 6, width), None)
    weights = Layout(F32, (16, 8, 3, 3), None)
    recipe = Recipe.of("convolution", src, weights, None, dst, WINDOW, (), True, threads)
    return recipe.converted("with_operand", 0, Layout(F32, (1, 8, 6, width), (48 * width, 6 * width, width, 1)))


def product(size: int, threads: int) -> Recipe:
    """A product whose scratch has a part for each thread."""
    a, b, c = (Layout(F32, (m, n), (n, 1)) for m, n in ((size, 200), (200, 300), (size, 300)))
    return Recipe.of("matmul", a, b, None, c, 1.0, 0.0, (), threads)


def relu(size: int, threads: int) -> Recipe:
    row = Layout(F32, (size,), (1,))
    return Recipe.of("eltwise", "relu", 0.0, 0.0, row, row, threads)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("program", [1, 2])
def test_primitives_are_in_the_order_of_their_recipes(threads: int, program: int) -> None:
    sizes = range(16 * threads + 7 * program, 16 * threads + 7 * program + 12)
    recipes = [recipe for size in sizes for recipe in (matmul(size, program), conv(size, 1), conv(size, program))]
    made = _core.make_all([recipe.pending() for recipe in recipes], threads)
    for recipe, primitive in zip(recipes, made, strict=True):
        alone = recipe.make()
        assert (primitive.kind, primitive.implementation) == (alone.kind, alone.implementation)
        assert (primitive.threads, primitive.scratch_bytes) == (alone.threads, alone.scratch_bytes)
        assert (primitive.ins, primitive.outs) == (alone.ins, alone.outs)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_error_is_that_of_the_first_recipe_without_a_primitive(threads: int) -> None:
    recipes = [matmul(n, 1, inner=n if n in (31, 33) else 24) for n in range(20, 44)]
    with pytest.raises(_core.Error, match=r"oneDNN has no matmul of \(31x24xf32.*\(31x40xf32"):
        _core.make_all([recipe.pending() for recipe in recipes], threads)


def test_equal_recipes_are_one_primitive_that_is_kept() -> None:
    first, second = matmul(1201, 1), matmul(1202, 1)
    before = primitive_from(first)
    made = primitives_from([second, first, second], 2)
    assert made[1] is before and made[0] is made[2] is primitive_from(second)


def test_primitive_is_the_same_as_long_as_it_is_held() -> None:
    """Also where many others were made since; it is freed as soon as it is not."""
    recipe = matmul(1301, 1)
    held = primitive_from(recipe)
    for last in (True, False):
        for n in range(1, PRIMITIVES + 2):
            primitive_from(relu(n, 1))
        if last:
            assert primitives_from([recipe], 1)[0] is primitive_from(recipe) is held
    freed = weakref.ref(held)
    del held
    assert freed() is None


def test_primitives_of_one_of_many_sizes_are_not_kept_beside_it() -> None:
    made = primitives_from([matmul(1401, 1), matmul(1402, 1)], 1)
    freed = [weakref.ref(primitive) for primitive in made]
    again = primitives_from([matmul(1402, 1)], 1)
    assert again[0] is made[1]
    del made, again
    assert [reference() for reference in freed] == [None, None]


def test_a_set_without_primitives_is_empty() -> None:
    assert primitives_from([], 2) == []


def test_primitives_made_in_a_parallel_region_are_for_their_threads() -> None:
    """Scratch has a part for each of them, as outside."""
    recipes = [product(size, 2) for size in range(300, 306)]
    wanted = [recipe.make().scratch_bytes for recipe in recipes]
    made = parallel(2, lambda: [p.scratch_bytes for p in _core.make_all([r.pending() for r in recipes], 2)])
    assert made == [wanted, wanted]
    assert all(p.threads == 2 for p in _core.make_all([r.pending() for r in recipes], 2))
