"""Tests of ops: does a kernel do to memory what the op's contract says?

`check_contract(op, kernel)` runs the kernel in all the ways that the contract permits and compares the bits. The tests
of the ops that come with the package are made of the same functions.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype, static_shape
from lastuse.dialect.storage.contract import Contract, InPlace, View, contract_of
from lastuse.dialect.storage.layout import Strided

__all__ = ["check_contract", "random_operands", "same_bits"]

Array = np.ndarray[Any, np.dtype[Any]]
Kernel = Callable[..., object]
PATTERNS = (0xA5, 0x5A)
"""What memory holds that nothing has written."""
GUARD = 64
"""Bytes behind the scratch that a kernel has to leave alone."""


def check_contract(op: Operation, kernel: Kernel, operands: Sequence[Array] | None = None, *, seed: int = 0) -> None:
    """Does a kernel keep the contract of `op`, bit for bit, but for which of two NaNs it keeps?

    The kernel runs with its results in memory of their own, which is the result all others are compared with: it has to
    write every byte of it and no operand. Then it runs

    * with each result over each operand that the contract permits (`InPlace`), and where `allow_same_operand` says so,
      with that operand given in every place where its type fits;
    * with operands and results at strides, where the contract is `strided`, in place too;
    * with other bytes in operands that are `metadata_only`.

    A result that is a `View` has to be the bytes that the view's map names, of an operand that is dense and of one that
    lies at strides; the `Contribution`s of operands have to make up result 0, each byte from one operand.

    Args:
        op: an op whose operands and results are tensors of known sizes, and which has a contract.
        kernel: `kernel(operands, results)`, with a third argument, `uint8[scratch]`, where it takes one: it reads
            arrays of the operands' shapes and dtypes, and writes all of the arrays of the results'.
        operands: what to run on; without, random arrays.
        seed: of the random arrays.

    Raises:
        AssertionError: it does not; the message says in which way of running.
        LastuseError: the contract cannot be right, or the types of the op have no arrays.
    """
    contract = contract_of(op)
    _hold(not contract.foreign, op, "nothing is declared: the op has no contract")
    arrays = [np.array(a) for a in operands] if operands is not None else random_operands(op, seed)
    test = _Test(op, contract, kernel, arrays)
    want = test.out_of_place()
    for over in contract.over:
        test.in_place(over, want)
        test.repeat(over)
    if contract.strided:
        test.compare(test.results_of(list(map(at_strides, arrays)), at_strides), want, "at strides")
        for over in contract.over:
            test.in_place(over, want, at_strides, "at strides, ")
    for number in sorted(contract.metadata_only):
        changed = test.copies()
        changed[number] = _filled(changed[number].shape, changed[number].dtype, 0xFF)
        how = f"with other bytes in operand {number}, which is metadata_only"
        test.compare(test.results_of(changed), want, how)
    for view in contract.views:
        test.view(view, want)
    if contract.contributions:
        test.contributions(want[0])


def random_operands(op: Operation, seed: int = 0) -> list[Array]:
    """Arrays of the types of the operands: normal numbers, whole ones from -9 to 9, true and false.

    Raises:
        LastuseError: an operand is no tensor of known sizes.
    """
    rng = np.random.default_rng(seed)
    arrays: list[Array] = []
    for value in op.operands:
        shape, dtype = _array_type(op, value)
        bounds = {"b": (0, 2), "u": (0, 10), "i": (-9, 10)}.get(dtype.kind)
        array = rng.integers(*bounds, shape) if bounds is not None else rng.normal(size=shape) * 3
        arrays.append(np.asarray(array).astype(dtype))
    return arrays


def same_bits(a: Array, b: Array) -> bool:
    """Equal shapes and equal bytes: -0 is not 0, NaN is NaN."""
    return a.shape == b.shape and np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def same_values(a: Array, b: Array) -> bool:
    """As `same_bits`, but any NaN is any other: which of two a kernel keeps is left open (docs/storage.md, 1)."""
    if a.dtype.kind in "biu" or a.shape != b.shape:
        return same_bits(a, b)
    nan = a.dtype.type(np.nan)
    return same_bits(*(np.where(np.isnan(x), nan, x) for x in (a, b)))


def at_strides(array: Array) -> Array:
    """The same values at every third place of a larger array."""
    large = np.full([3 * n + 1 for n in array.shape], 1).astype(array.dtype)
    view = large[(*(slice(1, 1 + 3 * n, 3) for n in array.shape), ...)]
    view[...] = array
    return view


def spread(array: Array, gaps: Sequence[int]) -> tuple[Array, Strided]:
    """The bytes of a larger array that holds the array with gaps between the elements of each axis, and where it lies
    there."""
    steps = [g + 1 for g in gaps]
    large = np.full([n * s for n, s in zip(array.shape, steps, strict=True)], 99).astype(array.dtype)
    large[(*(slice(None, None, s) for s in steps), ...)] = array
    outer = Strided.dense(large.shape, array.itemsize)
    strides = tuple(stride * step for stride, step in zip(outer.strides, steps, strict=True))
    return large.reshape(-1).view(np.uint8), Strided(0, array.shape, strides, array.itemsize)


def array_at(memory: Array, place: Strided, dtype: np.dtype[Any]) -> Array:
    """The value that lies at `place` of uint8 memory."""
    return memory[place.bytes()].view(dtype).reshape(place.sizes)


def dense_of(array: Array) -> Strided:
    """The layout of an array in memory of its own."""
    return Strided.dense(array.shape, array.itemsize)


class _Test:
    """One op, its kernel, and the arrays that it runs on."""

    def __init__(self, op: Operation, contract: Contract, kernel: Kernel, operands: list[Array]) -> None:
        self.op, self.contract, self.kernel, self.operands = op, contract, kernel, operands
        self.takes_scratch = _positional(kernel) > 2
        _hold(self.takes_scratch or not contract.scratch, op, "the contract has scratch, and the kernel takes none")

    def run(self, operands: Sequence[Array], results: Sequence[Array]) -> None:
        if not self.takes_scratch:
            self.kernel(operands, results)
            return
        room = np.full(self.contract.scratch + GUARD, PATTERNS[0], np.uint8)
        self.kernel(operands, results, room[: self.contract.scratch])
        _hold(bool((room[self.contract.scratch :] == PATTERNS[0]).all()), self.op, "writes behind its scratch")

    def fresh(self, pattern: int = PATTERNS[0]) -> list[Array]:
        """Arrays for the results that hold what is no result."""
        return [_filled(*_array_type(self.op, value), pattern) for value in self.op.results]

    def copies(self) -> list[Array]:
        return [a.copy() for a in self.operands]

    def compare(self, got: Sequence[Array], want: Sequence[Array], how: str) -> None:
        for number, (a, b) in enumerate(zip(got, want, strict=True)):
            _hold(same_values(a, b), self.op, f"{how}, result {number} has other bits")

    def results_of(
        self, operands: Sequence[Array], place: Callable[[Array], Array] = np.copy, over: InPlace | None = None
    ) -> list[Array]:
        """What the kernel makes of operands, in fresh memory that `place` gives; one result may be over an operand."""
        results = [place(a) for a in self.fresh()]
        if over is not None:
            results[over.result] = operands[over.operand].reshape(results[over.result].shape)
        self.run(operands, results)
        return results

    def out_of_place(self) -> list[Array]:
        operands, again = self.copies(), self.fresh(PATTERNS[1])
        results = self.results_of(operands)
        for number, (a, b) in enumerate(zip(operands, self.operands, strict=True)):
            _hold(same_bits(a, b), self.op, f"with results in memory of their own, operand {number} was written")
        self.run(operands, again)
        self.compare(again, results, "run again over other bytes (a byte is not written, or depends on chance)")
        return results

    def in_place(
        self, over: InPlace, want: list[Array], place: Callable[[Array], Array] = np.copy, where: str = ""
    ) -> None:
        """The result in the operand's own memory; where sizes differ for these types, the contract says nothing."""
        operand, result = self.operands[over.operand], want[over.result]
        if not _fits(operand, result) or (where and operand.shape != result.shape):
            return
        arrays = [place(a) for a in self.operands]
        how = f"{where}with result {over.result} over operand {over.operand}"
        self.compare(self.results_of(arrays, place, over), want, how)
        for number, (a, b) in enumerate(zip(arrays, self.operands, strict=True)):
            _hold(number == over.operand or same_bits(a, b), self.op, f"in place, operand {number} was written too")

    def repeat(self, over: InPlace) -> None:
        """The operand of an in-place result given in every place where its type fits."""
        one = self.operands[over.operand]
        like = [k for k, a in enumerate(self.operands) if a.shape == one.shape and a.dtype == one.dtype]
        if not over.allow_same_operand or len(like) < 2 or not _fits(one, self.fresh()[over.result]):
            return
        want = self.results_of([one.copy() if k in like else a.copy() for k, a in enumerate(self.operands)])
        memory = one.copy()
        results = self.results_of([memory if k in like else a.copy() for k, a in enumerate(self.operands)], over=over)
        how = f"with result {over.result} over operand {over.operand}, which is {len(like)} operands"
        self.compare(results, want, how)

    def view(self, view: View, results: list[Array]) -> None:
        x, want = self.operands[view.operand], results[view.result]
        for memory, place in ((x.reshape(-1).view(np.uint8), dense_of(x)), spread(x, [1] * x.ndim)):
            how = f"result {view.result} as a view of operand {view.operand} "
            seen = view.map(place)
            if seen is None:
                _hold(place != dense_of(x), self.op, how + "is none where the operand is dense")
                continue
            _hold(seen.sizes == want.shape, self.op, how + "has another shape")
            _hold(same_bits(array_at(memory, seen, want.dtype), want), self.op, how + "has other bits than the kernel")
            _hold(seen.injective or not view.injective, self.op, how + "has some byte twice, and says injective")
            whole = not view.whole or seen.canonical() == place.canonical()
            _hold(whole, self.op, how + "says whole, but is not all bytes in the same order")

    def contributions(self, want: Array) -> None:
        place = dense_of(want)
        out, filled = np.full(want.nbytes, PATTERNS[0], np.uint8), np.zeros(want.nbytes, int)
        for carry in self.contract.contributions:
            part = carry.into(place)
            how = f"the part of operand {carry.operand} in result 0 "
            _hold(part is not None, self.op, how + "is none where the result is dense")
            assert part is not None
            source = np.ascontiguousarray(self.operands[carry.operand]).reshape(-1).view(np.uint8)
            at = part.bytes()
            if carry.complement:
                at = np.setdiff1d(np.arange(want.nbytes), at)
                out[at] = source[at]
            else:
                _hold(part.sizes == self.operands[carry.operand].shape, self.op, how + "has another shape")
                out[at] = source
            filled[at] += 1
        _hold(filled.max(initial=0) <= 1, self.op, "a byte of result 0 comes from two operands")
        if self.contract.fill:
            out[filled == 0] = want.reshape(-1).view(np.uint8)[filled == 0]
        else:
            _hold(filled.min(initial=1) == 1, self.op, "a byte of result 0 comes from no operand, and fill is not said")
        _hold(
            same_bits(out.view(want.dtype).reshape(want.shape), want),
            self.op,
            "the contributions make up another result than the kernel",
        )


def _hold(true: bool, op: Operation, otherwise: str) -> None:
    if not true:
        raise AssertionError(f"{op_name(op)}: {otherwise}")


def _fits(operand: Array, result: Array) -> bool:
    return operand.size == result.size and operand.dtype == result.dtype


def _filled(shape: Sequence[int], dtype: np.dtype[Any], pattern: int) -> Array:
    if dtype.kind == "b":
        return np.full(shape, bool(pattern & 1))
    return np.full(int(np.prod(shape)) * dtype.itemsize, pattern, np.uint8).view(dtype).reshape(shape)


def _array_type(op: Operation, value: SSAValue) -> tuple[list[int], np.dtype[Any]]:
    try:
        sizes = list(map(operator.index, static_shape(value.type)))  # pyright: ignore[reportArgumentType]
        return sizes, numpy_dtype(dtype_name(value.type.element_type))  # pyright: ignore
    except (AssertionError, AttributeError, TypeError, ValueError):
        raise LastuseError(f"{value.type} has no arrays: a tensor of known sizes is needed", op) from None


def _positional(kernel: Kernel) -> int:
    """How many arguments a kernel takes by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(kernel).parameters.values()
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return 3
    return sum(p.kind in kinds for p in parameters)
