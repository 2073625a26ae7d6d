"""What two ops compute of each element, compared: the pairs of operands that they read at the same indices."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineMap

from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.op_meaning import Leaf, MeaningNode, is_shaped, is_shaped_type, type_of
from lastuse.passes.memref_checker.term_table import TermTable

Read = tuple[SSAValue, SSAValue, AffineMap | None]
"""An operand of the program's op, the one of the form's that stands for it, and where both are read."""


def compare(contents: TermTable, one: Leaf | MeaningNode, two: Leaf | MeaningNode, reads: list[Read]) -> None:
    """Adds what `one`, of the program, and `two`, of the form, read.

    Raises:
        NotModelled: they are not the same.
    """
    if isinstance(one, Leaf) and isinstance(two, Leaf):
        compare_leaves(one.operand, two.operand, one.map, two.map, reads)
        return
    if isinstance(one, Leaf) or isinstance(two, Leaf) or len(one.inner) != len(two.inner):
        raise NotModelled("it computes something else than its op")
    outside = one.key[0] == two.key[0] == "outside"
    same = contents.holds(one.key[1], two.key[1]) if outside else one.key == two.key  # pyright: ignore
    if not same:
        raise NotModelled("it computes something else than its op")
    for a, b in zip(one.inner, two.inner, strict=True):
        compare(contents, a, b, reads)


def compare_leaves(
    one: SSAValue, two: SSAValue, map_: AffineMap | None, other: AffineMap | None, reads: list[Read]
) -> None:
    """Adds two operands that are read at the indices of `map_` and `other`.

    Raises:
        NotModelled: these are not the same, or the elements are not of one type.
    """
    if not same_elements(one, two) or (map_ is not other and is_shaped(one) and map_ != other):
        raise NotModelled("it reads other elements than its op")
    reads.append((one, two, map_))


def same_elements(one: SSAValue, two: SSAValue) -> bool:
    """Two values have elements of one type, or are scalars of one."""
    mine, theirs = type_of(one), type_of(two)
    if is_shaped_type(type(mine)):
        if not is_shaped_type(type(theirs)):
            return False
        mine, theirs = mine.element_type, theirs.element_type  # pyright: ignore[reportAttributeAccessIssue]
    return mine is theirs or mine == theirs
