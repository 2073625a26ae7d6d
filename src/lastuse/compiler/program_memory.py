"""The memory of a program: what a run takes, and what is there for all runs; without a run, and for sizes to come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseResourceAttr, ModuleOp, TensorType
from xdsl.ir import Attribute

from lastuse.compiler.program_signature import SizeOrigin, TensorSpec
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import dtype_name, item_bytes, typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memory.allocation_problem import allocation_problem
from lastuse.passes.memory.stats import MemoryStats
from lastuse.passes.planning.planner import Proof

if TYPE_CHECKING:
    from lastuse.tools.visualize.memory import MemoryMap

MOST = 1 << 31
"""The largest size that `largest_size` looks at."""
BEYOND = 16
"""Sizes after the one found that are looked at too: plans of larger sizes may be smaller."""


START = 64
"""The size that `largest_size` begins with: decisions for it serve larger ones better than those for one row."""


@dataclass(frozen=True, repr=False)
class ProgramMemory:
    """Bytes that a program takes for one set of sizes.

    Attributes:
        arena_bytes: what a run takes: activations and scratch; once for each run that goes on at a time.
        scratch_bytes: the largest scratch of an op, which is in the arena.
        naive_bytes: what `arena_bytes` would be if nothing were shared.
        live_peak_bytes: the most that is live at one op; no plan for these decisions and this order needs less.
        inplace_ops: ops with a result in place; no bytes.
        input_bytes: the caller's arrays.
        result_bytes: results that are not in the memory of an input.
        weight_bytes: constants, once for all sizes.
        packed_bytes: weights in the layouts that kernels chose, likewise; those that lie well as they are take none.
    """

    arena_bytes: int
    scratch_bytes: int
    naive_bytes: int
    live_peak_bytes: int
    inplace_ops: int
    input_bytes: int
    result_bytes: int
    weight_bytes: int
    packed_bytes: int
    module: ModuleOp = field(compare=False)

    @property
    def total_bytes(self) -> int:
        """Arena, inputs, results, weights and packed weights together."""
        return self.arena_bytes + self.input_bytes + self.result_bytes + self.weight_bytes + self.packed_bytes

    @property
    def peak_bytes(self) -> int:
        """The most bytes that a run takes: `arena_bytes`."""
        return self.arena_bytes

    @property
    def bound_bytes(self) -> int:
        """No plan of these decisions in this order has a smaller peak: `live_peak_bytes`."""
        return self.live_peak_bytes

    @cached_property
    def proof(self) -> Proof:
        """What shows that no arena of these decisions in this order is smaller: `reached`, the peak is the bound;
        `infeasible-below`, a search found that nothing smaller holds all values; `none`. It is worked out when it is
        asked for."""
        if self.arena_bytes == self.live_peak_bytes:
            return Proof.REACHED
        problem = allocation_problem(main_function(self.module))
        if problem is None:
            return Proof.NONE
        planned = problem.placed()
        return planned.proof if planned.peak == self.arena_bytes else Proof.NONE

    @property
    def maps(self) -> tuple[MemoryMap, ...]:
        """Where each value is in the arena, and when: a map for each function that runs."""
        from lastuse.tools.visualize.read import memory_maps

        return memory_maps(self.module)

    def as_dict(self) -> dict[str, int]:
        """The attributes and the total, by name."""
        names = [name for name in self.__dataclass_fields__ if name != "module"]
        return {name: getattr(self, name) for name in names} | {"total_bytes": self.total_bytes}

    def __repr__(self) -> str:
        arena = f"arena {self.naive_bytes:,} if nothing were shared, {self.inplace_ops} ops in place"
        return (
            f"<memory of {self.total_bytes:,} bytes: arena {self.arena_bytes:,}, inputs {self.input_bytes:,}, results "
            f"{self.result_bytes:,}, weights {self.weight_bytes:,}, packed weights {self.packed_bytes:,}; {arena}>"
        )

    def _repr_svg_(self) -> str:
        """The memory map, as a notebook shows it."""
        from lastuse.tools.visualize.svg import svg

        return svg(self.maps)


def memory_of(module: ModuleOp, figures: MemoryStats, packed_bytes: int) -> ProgramMemory:
    """The memory of a decided module of known sizes."""
    func = main_function(module)
    types = func.function_type
    results = sum(nbytes(t) for n, t in enumerate(types.outputs.data) if attrs.tied_argument(func, n) is None)
    inputs = sum(map(nbytes, types.inputs.data))
    return ProgramMemory(*figures, inputs, results, weights_of(module), packed_bytes, module)


def weights_of(module: ModuleOp) -> int:
    """Bytes of the constants of a module, arrays beside it once."""
    sizes: dict[object, int] = {}
    for op in module.walk():
        if op.results and contract_of(op).constant and op.results[0].first_use is not None:
            values = (*op.attributes.values(), *op.properties.values())
            handles = [v.resource_handle.data for v in values if isinstance(v, DenseResourceAttr)]
            sizes[handles[0] if handles else op] = nbytes(op.results[0].type)
    return sum(sizes.values())


def nbytes(type_: Attribute) -> int:
    """Bytes of a value of known sizes."""
    size = typed(type_).bytes if isinstance(type_, TensorType) else item_bytes(dtype_name(type_))
    assert isinstance(size, int)
    return size


def sizes_from(
    inputs: Mapping[str, TensorSpec],
    symbols: Mapping[str, SizeOrigin],
    sizes: Mapping[str, int],
    shapes: Mapping[str, object],
) -> dict[str, int]:
    """
    The unknown sizes of a program, by name.

    Args:
        symbols: those to bind.
        sizes: numbers by the name of the size.
        shapes: by the name of a size its number, or by the name of an input its shape.

    Raises:
        LastuseError: a name is unknown, a size is missing, given twice in different ways, or no number from 0 on; a
            shape does not fit its input.
    """
    result: dict[str, int] = {}
    ranks = {argument: rank for argument, rank, _ in symbols.values()}

    def bind(name: str, size: object) -> None:
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise LastuseError(f"size {name} is a number from 0 on, not {size!r}")
        if result.setdefault(name, size) != size:
            raise LastuseError(f"size {name} is {result[name]} and {size}")

    for name, value in [*sizes.items(), *shapes.items()]:
        if isinstance(value, tuple | list):
            if name not in ranks:
                names = ", ".join(dict.fromkeys(ranks)) or "none"
                raise LastuseError(f"no input of unknown sizes is called '{name}'; there are {names}")
            if len(value) != ranks[name]:  # pyright: ignore[reportUnknownArgumentType]
                raise LastuseError(f"input {name} has {ranks[name]} axes, not {len(value)}")  # pyright: ignore
            known = inputs[name].shape
            for axis, (size, fixed) in enumerate(zip(value, known, strict=True)):  # pyright: ignore
                if isinstance(fixed, int) and fixed != size:
                    raise LastuseError(f"input {name} has size {fixed} on axis {axis}, not {size}")
            for symbol, (argument, _, axis) in symbols.items():
                if argument == name:
                    bind(symbol, value[axis])
        elif name in symbols:
            bind(name, value)
        else:
            names = ", ".join(symbols) or "none"
            raise LastuseError(f"no unknown size is called '{name}'; there are {names}")
    missing = [name for name in symbols if name not in result]
    if missing:
        raise LastuseError(f"sizes are missing: {', '.join(missing)}")
    return result


def largest_size(name: str, limit: int, start: int, bytes_for: Callable[[int], int]) -> int:
    """
    The largest size whose memory fits.

    Sizes are doubled until one does not fit, and the gap is halved. Plans need not grow with sizes: what is returned
    has been planned and fits, and so have the next `BEYOND` sizes been planned, and none of them fits.

    Args:
        name: of the size, for errors.
        limit: in bytes.
        start: a size to begin with.
        bytes_for: the memory of a size; raises LastuseError where the model cannot have it.

    Raises:
        LastuseError: no size fits, or all do up to 2^31.
    """
    known: dict[int, int | None] = {}
    errors: list[LastuseError] = []

    def fits(size: int) -> bool:
        if size not in known:
            try:
                known[size] = bytes_for(size)
            except LastuseError as error:
                errors.append(error)
                known[size] = None
        taken = known[size]
        return taken is not None and taken <= limit

    def first_fit() -> int:
        """Downwards from `start`; where the model has no such sizes, upwards; then at the edge of those it has."""
        downwards = [start >> n for n in range(start.bit_length() + 1)]
        fitting = next((size for size in downwards if fits(size)), None)
        if fitting is not None:
            return fitting
        upwards = (start << n for n in range(1, MOST.bit_length()))
        if all(taken is None for taken in known.values()):
            next((size for size in upwards if fits(size) or known[size] is not None), None)
        valid = [size for size, taken in known.items() if taken is not None]
        if not valid:
            raise errors[0]
        least = min(valid)
        below = max((size for size in known if size < least), default=-1)
        while least - below > 1:
            middle = (least + below) // 2
            fits(middle)
            least, below = (least, middle) if known[middle] is None else (middle, below)
        if fits(least):
            return least
        size, taken = min(((s, n) for s, n in known.items() if n is not None), key=lambda pair: (pair[1], pair[0]))
        raise LastuseError(f"no size {name} fits into {limit:,} bytes: {name} = {size} takes {taken:,}")

    low = first_fit()
    high = max(low, 1) * 2
    while fits(high):
        low, high = high, high * 2
        if low >= MOST:
            raise LastuseError(f"every size {name} up to {low:,} fits into {limit:,} bytes")
    while True:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        further = [size for size in range(low + 1, low + 1 + BEYOND) if fits(size)]
        if not further:
            return low
        low = further[-1]
        high = low + 1


BYTES = tuple(n for n in (*ProgramMemory.__dataclass_fields__, "total_bytes") if n.endswith("_bytes"))
"""The attributes of a memory that are bytes."""
