"""`scf.forall` and `scf.execute_region` as memref forms: threads see shared outputs as they were before all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from memref_fuzz import CONTEXT, WAYS, Run, difference_of, kept_arguments
from xdsl.dialects import scf, tensor

from lastuse.dialect.ir.op_listing import OpListing
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferization.sequential_regions import run_in_order
from lastuse.passes.bufferize import BufferizePass

Array = np.ndarray
SLICE = "static_sizes = array<i64: {size}>, static_strides = array<i64: {stride}>"


def _forall(
    body: str, inserted: str, *, at: str, size: int, stride: int = 1, trips: tuple[int, int, int] = (0, 4, 1)
) -> str:
    """A program of one `scf.forall` over tensor<12xi64>: each thread inserts `inserted` at `at`."""
    low, high, step = trips
    part = SLICE.format(size=size, stride=stride)
    return f"""
"builtin.module"() ({{
"func.func"() <{{function_type = (tensor<12xi64>) -> tensor<12xi64>, sym_name = "main"}}> ({{
^bb0(%x: tensor<12xi64>):
  %c1 = "arith.constant"() <{{value = 1 : index}}> : () -> index
  %c3 = "arith.constant"() <{{value = 3 : index}}> : () -> index
  %r = "scf.forall"(%x) <{{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: {low}>,
      staticUpperBound = array<i64: {high}>, staticStep = array<i64: {step}>}}> ({{
  ^bb1(%i: index, %o: tensor<12xi64>):
    {body}
    "scf.forall.in_parallel"() ({{
      "tensor.parallel_insert_slice"({inserted}, %o, {at}) <{{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>,
        static_offsets = array<i64: -9223372036854775808>, {part}}}> : (tensor<{size}xi64>, tensor<12xi64>, index) -> ()
    }}) : () -> ()
  }}) : (tensor<12xi64>) -> tensor<12xi64>
  "func.return"(%r) : (tensor<12xi64>) -> ()
}}) : () -> ()
}}) : () -> ()
"""


def _slice(at: str, size: int, stride: int = 1) -> str:
    part = SLICE.format(size=size, stride=stride)
    return (
        f'%s = "tensor.extract_slice"(%o, {at}) <{{operandSegmentSizes = array<i32: 1, 1, 0, 0>, '
        f"static_offsets = array<i64: -9223372036854775808>, {part}}}> : "
        f"(tensor<12xi64>, index) -> tensor<{size}xi64>\n"
        f'%t = "arith.addi"(%s, %s) : (tensor<{size}xi64>, tensor<{size}xi64>) -> tensor<{size}xi64>'
    )


TIMES_3 = '%j = "arith.muli"(%i, %c3) : (index, index) -> index\n'
APPLIED = '%j = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 * 3)>}> : (index) -> index\n'
BEFORE = (
    '%j = "arith.subi"(%i, %c1) : (index, index) -> index\n'
    '%e = "tensor.extract"(%o, %j) : (tensor<12xi64>, index) -> i64\n'
    '%t = "tensor.from_elements"(%e) : (i64) -> tensor<1xi64>'
)


def _doubled(x: Array) -> Array:
    return 2 * x


def _first_doubled(x: Array) -> Array:
    return np.concatenate([2 * x[:3], x[3:]])


def _shifted(x: Array) -> Array:
    return np.concatenate([x[:1], x[:-1]])


def _overlapping(x: Array) -> Array:
    """Threads 0 to 3 insert the doubled elements i to i + 3, each of the elements before all."""
    return np.concatenate([2 * x[:6], x[6:]])


PROGRAMS: dict[str, tuple[str, Callable[[Array], Array], int]] = {
    "own_part": (_forall(TIMES_3 + _slice("%j", 3), "%t", at="%j", size=3), _doubled, 0),
    "own_part_by_map": (_forall(APPLIED + _slice("%j", 3), "%t", at="%j", size=3), _doubled, 0),
    "own_part_by_step": (_forall(_slice("%i", 3), "%t", at="%i", size=3, trips=(0, 12, 3)), _doubled, 0),
    "parts_with_gaps": (_forall(_slice("%i", 3, 4), "%t", at="%i", size=3, stride=4), _doubled, 1),
    "overlapping_parts": (_forall(_slice("%i", 3), "%t", at="%i", size=3), _overlapping, 1),
    "same_part": (_forall(_slice("%c0", 3), "%t", at="%c0", size=3).replace("%c0", "%z"), _first_doubled, 1),
    "part_of_another": (_forall(BEFORE, "%t", at="%i", size=1, trips=(1, 12, 1)), _shifted, 1),
    "no_thread": (_forall(_slice("%i", 3), "%t", at="%i", size=3, trips=(4, 4, 1)), lambda x: x, 1),
}
"""Of each: what it computes, and how many copies its form has at least."""


def _text(name: str) -> str:
    zero = '%z = "arith.constant"() <{value = 0 : index}> : () -> index\n  %r ='
    return PROGRAMS[name][0].replace("%r =", zero, 1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_threads_compute_from_what_was_there_before_them(name: str) -> None:
    x = np.arange(1, 13) * 7
    for way in WAYS[::5]:
        module = parse(CONTEXT, _text(name), "forall.mlir")
        way.apply(CONTEXT, module)
        module.verify()
        run = Run([x], [PROGRAMS[name][1](x)])
        assert difference_of(module, run, kept_arguments(way, [False]), 3) is None, str(way)


WHOLE_INTO_ANOTHER = """
"builtin.module"() ({
"func.func"() <{function_type = (tensor<4xi64>, tensor<16xi64>) -> (tensor<4xi64>, tensor<16xi64>),
    sym_name = "main"}> ({
^bb0(%x: tensor<4xi64>, %y: tensor<16xi64>):
  %c4 = "arith.constant"() <{value = 4 : index}> : () -> index
  %r, %q = "scf.forall"(%x, %y) <{operandSegmentSizes = array<i32: 0, 0, 0, 2>, staticLowerBound = array<i64: 0>,
      staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb1(%i: index, %o: tensor<4xi64>, %p: tensor<16xi64>):
    %j = "arith.muli"(%i, %c4) : (index, index) -> index
    %e = "tensor.extract"(%o, %i) : (tensor<4xi64>, index) -> i64
    %d = "arith.addi"(%e, %e) : (i64, i64) -> i64
    %t = "tensor.from_elements"(%d) : (i64) -> tensor<1xi64>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%t, %o, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>,
        static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>,
        static_strides = array<i64: 1>}> : (tensor<1xi64>, tensor<4xi64>, index) -> ()
      "tensor.parallel_insert_slice"(%o, %p, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>,
        static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>,
        static_strides = array<i64: 1>}> : (tensor<4xi64>, tensor<16xi64>, index) -> ()
    }) : () -> ()
  }) : (tensor<4xi64>, tensor<16xi64>) -> (tensor<4xi64>, tensor<16xi64>)
  "func.return"(%r, %q) : (tensor<4xi64>, tensor<16xi64>) -> ()
}) : () -> ()
}) : () -> ()
"""


def test_a_shared_output_put_into_another_is_what_was_there_before_all_threads() -> None:
    x, y = np.arange(1, 5) * 7, np.arange(16)
    for way in WAYS:
        module = parse(CONTEXT, WHOLE_INTO_ANOTHER, "forall.mlir")
        way.apply(CONTEXT, module)
        module.verify()
        run = Run([x, y], [2 * x, np.tile(x, 4)])
        assert difference_of(module, run, kept_arguments(way, [False, False]), 3) is None, str(way)


REVERSED = """
func.func @main(%x: tensor<4xi64>, %ids: tensor<4xi64>) -> tensor<4xi64> {{
  %c0 = arith.constant 0 : i64
  %whole = tensor.extract_slice %x[0] [4] [1] : tensor<4xi64> to tensor<4xi64>
  %e = tensor.empty() : tensor<4xi64>
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}} ins(%ids, %x : tensor<4xi64>, tensor<4xi64>) outs({out} : tensor<4xi64>) {{
  ^bb0(%id: i64, %same: i64, %old: i64):
    %j = arith.index_cast %id : i64 to index
    %v = tensor.extract {loaded}[%j] : tensor<4xi64>
    linalg.yield %v : i64
  }} -> tensor<4xi64>
  func.return %r : tensor<4xi64>
}}
"""


@pytest.mark.parametrize("out", ["%x", "%whole", "%e"])
@pytest.mark.parametrize("loaded", ["%x", "%whole"])
def test_a_kernel_that_loads_from_outside_does_not_write_over_what_it_loads(out: str, loaded: str) -> None:
    x, ids = np.arange(1, 5) * 7, np.array([3, 2, 1, 0])
    for way in WAYS[::5]:
        module = parse(CONTEXT, REVERSED.format(out=out, loaded=loaded), "reversed.mlir")
        way.apply(CONTEXT, module)
        module.verify()
        assert any(op.name == "memref.load" for op in module.walk())
        run = Run([x, ids], [x[::-1]])
        assert difference_of(module, run, kept_arguments(way, [False, False]), 3) is None, str(way)


@pytest.mark.parametrize("stride", ["-1", "-9223372036854775808"])
def test_parts_of_unknown_steps_are_not_told_apart(stride: str) -> None:
    """Each thread slices the elements before all threads, which are another value than what it inserts into."""
    text = _forall(TIMES_3 + _slice("%j", 3), "%t", at="%j", size=3)
    text = text.replace("static_strides = array<i64: 1>", f"static_strides = array<i64: {stride}>")
    if stride != "-1":
        text = text.replace("(%t, %o, %j)", "(%t, %o, %j, %i)").replace("1, 1, 1, 0, 0>", "1, 1, 1, 0, 1>")
        text = text.replace("(%o, %j)", "(%o, %j, %i)").replace("32: 1, 1, 0, 0>", "32: 1, 1, 0, 1>")
        text = text.replace("tensor<12xi64>, index)", "tensor<12xi64>, index, index)")
    module = parse(CONTEXT, text, "forall.mlir")
    run_in_order(OpListing(module))
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    (slice_,) = (op for op in module.walk() if isinstance(op, tensor.ExtractSliceOp))
    assert slice_.source is loop.iter_args[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_that_no_other_thread_writes_are_not_copied(name: str) -> None:
    module = parse(CONTEXT, _text(name), "forall.mlir")
    BufferizePass(arguments="writable").apply(CONTEXT, module)
    copies = sum(op.name == "memref.copy" for op in module.walk())
    least = PROGRAMS[name][2]
    assert copies >= least if least else not copies
