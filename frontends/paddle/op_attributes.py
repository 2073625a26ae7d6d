"""What Paddle's ops say of themselves, checked; and attributes of dnn ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, f32, i64
from xdsl.ir import Attribute

from lastuse.frontends.paddle.proto import PaddleOp


def output(op: PaddleOp, slot: str = "Out") -> str:
    """The name of the op's variable in an output slot."""
    names = op.outputs.get(slot, [])
    if len(names) != 1:
        raise ValueError(f"the output {slot} must be one variable, it has {len(names)}")
    return names[0]


def _attribute(op: PaddleOp, name: str, default: object, kinds: type | tuple[type, ...], expected: str) -> Any:
    """An attribute of the op; raises ValueError where it is of another kind. A truth value is no number."""
    value = op.attrs.get(name, default)
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise ValueError(f"the attribute {name} is {value!r}, {expected} is expected")
    return value


def integer(op: PaddleOp, name: str, default: int) -> int:
    """An integer attribute. This and the following raise ValueError where the attribute is of another kind."""
    return _attribute(op, name, default, int, "an integer")


def number(op: PaddleOp, name: str, default: float) -> float:
    """A number."""
    return float(_attribute(op, name, default, (int, float), "a number"))


def flag(op: PaddleOp, name: str, default: bool) -> bool:
    """A truth value."""
    return _attribute(op, name, default, bool, "a truth value")


def text(op: PaddleOp, name: str, default: str) -> str:
    """A string."""
    return _attribute(op, name, default, str, "a string")


def integers(op: PaddleOp, name: str, default: Sequence[int] = ()) -> list[int]:
    """An attribute that is a list of integers; one integer counts as a list of it."""
    value = op.attrs.get(name, list(default))
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, bool) or not isinstance(item, int) for item in items):
        raise ValueError(f"the attribute {name} is {value!r}, a list of integers is expected")
    return [item for item in items if isinstance(item, int)]


def int_attr(value: int) -> Attribute:
    """An integer of dnn ops."""
    return IntegerAttr(value, i64)


def float_attr(value: float) -> Attribute:
    """A number of dnn ops; Paddle's are f32 too."""
    return FloatAttr(value, f32)


def ints_attr(values: Sequence[int]) -> Attribute:
    """A list of integers of dnn ops."""
    return DenseArrayBase.from_list(i64, list(values))


def axis_of(axis: int, rank: int) -> int:
    """The axis counted from 0; raises ValueError where there is none."""
    if not -rank <= axis < max(rank, 1):
        raise ValueError(f"axis {axis} is outside the {rank} axes of the input")
    return axis % rank if rank else 0
