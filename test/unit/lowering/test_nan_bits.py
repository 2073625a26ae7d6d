"""A kernel may keep either of two NaNs: planned and naive programs differ in nothing else, and not at all where an
op reads bits (docs/storage.md, 1)."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.frontends.text.mlir_parser import parse

Array = np.ndarray
NANS = {
    "f64": (np.uint64, [0x7FF8000000000001, 0xFFF8000000000002, 0x7FF800000000BEEF]),
    "f32": (np.uint32, [0x7FC00001, 0xFFC00002, 0x7FC0BEEF]),
    "f16": (np.uint16, [0x7E01, 0xFE02, 0x7EEF]),
    "bf16": (np.uint16, [0x7FC1, 0xFFC2, 0x7FEF]),
}
"""Quiet NaNs of both signs and several payloads."""
OPS = ("add", "mul", "sum", "maximum", "minimum", "sub", "div")
SIZES = (1, 1000)
READER = """
  %n = arith.constant 0 : index
  %f = "tensor.extract"(%e, %n) : (tensor<1xf32>, index) -> f32
  %i = arith.bitcast %f : f32 to i32
"""


def nans(dtype: str, size: int, seed: int) -> Array:
    """NaNs, with a number now and then, so that every pair of them meets."""
    unsigned, bits = NANS[dtype]
    rng = np.random.default_rng(seed)
    array = rng.choice(np.array(bits, unsigned), size).view(numpy_dtype(dtype))
    array[rng.random(size) < 0.2] = 1.5
    return array


def bits(array: Array) -> bytes:
    return array.tobytes()


def without_nans(array: Array) -> bytes:
    """The bytes of an array, every NaN the same."""
    return np.where(np.isnan(array), array.dtype.type(np.nan), array).tobytes()


def module(op: str, dtype: str, size: int, reads: bool) -> ModuleOp:
    """`op` of a donated and of a kept argument, in either order, and of a part of a concat; and, if `reads`, a scalar's
    bits that come from the end of it."""
    one, two = f"tensor<{size}x{dtype}>", f"tensor<{2 * size}x{dtype}>"
    reader = READER if reads else ""
    returned, type_ = (", %i", ", i32") if reads else ("", "")
    named = ', i32 {dnn.name = "i"}' if reads else ""
    text = f"""
func.func @main(%a: {one} {{dnn.name = "a"}}, %b: {one} {{dnn.name = "b", dnn.donated}},
    %c: {one} {{dnn.name = "c", dnn.donated}}, %e: tensor<1xf32> {{dnn.name = "e"}})
    -> ({one} {{dnn.name = "second"}}, {one} {{dnn.name = "first"}}, {two} {{dnn.name = "part"}}{named}) {{
  %second = "dnn.{op}"(%a, %b) : ({one}, {one}) -> {one}
  %first = "dnn.{op}"(%c, %a) : ({one}, {one}) -> {one}
  %p = "dnn.{op}"(%second, %first) : ({one}, {one}) -> {one}
  %part = "dnn.concat"(%p, %second) {{axis = 0 : i64}} : ({one}, {one}) -> {two}
  {reader}
  func.return %second, %first, %part{returned} : {one}, {one}, {two}{type_}
}}
"""
    return parse(context(), text, "nans.mlir")


def run(op: str, dtype: str, size: int, reads: bool, planned: bool) -> tuple[dict[str, Array], bool]:
    """Every result, and whether something is in place."""
    program = lastuse.compile(module(op, dtype, size, reads), inplace=planned, plan=planned)
    given = {name: nans(dtype, size, seed) for seed, name in enumerate("abc")}
    results = program.run({**given, "e": nans("f32", 1, 7)})
    decided = any(k >= 0 for o in main_function(program.latest.module).walk() for k in attrs.inplace(o))
    return results, decided


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", NANS)
@pytest.mark.parametrize("op", OPS)
def test_planned_and_naive_results_differ_only_in_the_nan(op: str, dtype: str, size: int) -> None:
    (planned, decided), (naive, _) = (run(op, dtype, size, False, flag) for flag in (True, False))
    assert decided
    for name, array in planned.items():
        assert without_nans(array) == without_nans(naive[name])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", NANS)
@pytest.mark.parametrize("op", OPS)
def test_planned_and_naive_bits_are_equal_where_bits_are_read(op: str, dtype: str, size: int) -> None:
    (planned, decided), (naive, _) = (run(op, dtype, size, True, flag) for flag in (True, False))
    assert not decided
    for name, array in planned.items():
        assert bits(array) == bits(naive[name])


READS = """
func.func @main(%a: tensor<SIZExf32> {dnn.name = "a"}, %b: tensor<SIZExf32> {dnn.name = "b", dnn.donated})
    -> (i32 {dnn.name = "bits"}, tensor<SIZExf32> {dnn.name = "z"}) {
  %n = arith.constant 0 : index
  %c = "dnn.OP"(%a, %b) : (tensor<SIZExf32>, tensor<SIZExf32>) -> tensor<SIZExf32>
  %d = "dnn.abs"(%a) : (tensor<SIZExf32>) -> tensor<SIZExf32>
  %z = "dnn.maximum"(%c, %d) : (tensor<SIZExf32>, tensor<SIZExf32>) -> tensor<SIZExf32>
  %f = "tensor.extract"(%c, %n) : (tensor<SIZExf32>, index) -> f32
  %i = arith.bitcast %f : f32 to i32
  func.return %i, %z : i32, tensor<SIZExf32>
}
"""


@pytest.mark.parametrize("size", [1, 17])
@pytest.mark.parametrize("op", OPS)
def test_program_that_reads_bits_sees_the_same_nan(op: str, size: int) -> None:
    """`arith.bitcast` shows the sign of the element."""
    seen: list[bytes] = []
    for planned in (True, False):
        text = READS.replace("SIZE", str(size)).replace("OP", op)
        program = lastuse.compile(parse(context(), text, "reads.mlir"), inplace=planned, plan=planned)
        a, b = (np.full(size, value, np.uint32).view(np.float32) for value in (0x7FC00001, 0xFFC00002))
        seen.append(program.run({"a": a, "b": b})["bits"].tobytes())
    assert seen[0] == seen[1]


def test_every_op_in_place_by_swapping_is_tried() -> None:
    exchanged = {
        name for name, cls in OPERATIONS.items() if any(over.by_swapping for over in contract_of(example_of(cls)).over)
    }
    assert exchanged
    assert exchanged <= {f"dnn.{op}" for op in OPS}
