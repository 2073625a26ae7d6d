"""Tensor types and what is said of them, kept by the identity of the type."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, f32, i64

from lastuse.dialect.ir.tensor_types import TensorInfo, sized_type, symbol, tensor_type, typed


def test_types_of_the_same_sizes_are_one_object() -> None:
    first = tensor_type(TensorInfo((3, 4), "f32"))
    assert first == TensorType(f32, [3, 4])
    assert tensor_type(TensorInfo((3, 4), "f32")) is first is sized_type(f32, (3, 4))
    unknown = tensor_type(TensorInfo((3, symbol("n"), None), "f32"))
    assert unknown == TensorType(f32, [3, DYNAMIC_INDEX, DYNAMIC_INDEX])
    others = (sized_type(i64, (3, 4)), sized_type(f32, (4, 3)), sized_type(f32, (3, 4), StringAttr("layout")))
    assert first not in others
    assert len(set(others)) == 3


def test_infos_follow_from_the_type_that_is_asked_about() -> None:
    for size in range(10_000):  # more than are kept, and of types that come and go at the same addresses
        assert typed(TensorType(f32, [size, DYNAMIC_INDEX])) == TensorInfo((size, None), "f32")


def test_unknown_sizes_are_those_that_are_given() -> None:
    type_ = TensorType(i64, [2, DYNAMIC_INDEX])
    assert typed(type_, (7, 5)) == TensorInfo((2, 5), "i64")
    assert typed(type_, (2, symbol("n"))) == TensorInfo((2, symbol("n")), "i64")
    assert typed(type_) == typed(type_, (2, None)) == TensorInfo((2, None), "i64")
