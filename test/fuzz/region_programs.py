"""Random programs on tensors that have also `scf.forall`, `scf.execute_region`, `vector` transfers, tensors that are
allocated and tensors that are materialised in others."""

from __future__ import annotations

from tensor_programs import SAME, TYPES, TensorProgram, Value

WIDE = TYPES["A"]
PART = TYPES["4"]
SLICED = (
    "static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>"
)


class RegionProgram(TensorProgram):
    """One program, as a `TensorProgram`."""

    def index(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """An index, or one of the ops that other programs do not have."""
        draws = [super().index, self.threads, self.region, self.transfer, self.allocated, self.materialized]
        self.rng.choice(draws)(tensors, indices, scalars, depth)

    def threads(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """Threads that insert parts of 4 elements, apart or not, of what they compute from a part of their own or of
        another tensor."""
        base, other, result = self.pick(tensors, "A"), self.pick(tensors, "A"), self.name()
        shared, i, j, part = (self.name() for _ in range(4))
        step = self.rng.choice(["%c4", "%c4", "%c4", "%c2"])
        reads = self.rng.choice([shared, shared, base.name, other.name])
        ranges = (("LowerBound", 0), ("UpperBound", 3), ("Step", 1))
        said = ", ".join(f"static{name} = array<i64: {n}>" for name, n in ranges)
        segments = "operandSegmentSizes = array<i32: 0, 0, 0, 1>"
        self.say(depth, f'{result} = "scf.forall"({base.name}) <{{{segments}, {said}}}> ({{')
        self.say(depth, f"^bb0({i}: index, {shared}: {WIDE}):")
        self.say(depth + 1, f"{j} = arith.muli {i}, {step} : index")
        self.say(depth + 1, f"{part} = tensor.extract_slice {reads}[{j}] [4] [1] : {WIDE} to {PART}")
        inner = [Value(part, "4"), *[t for t in tensors if t.kind == "4"][-1:]]
        self.compute(inner, [*indices, i, j], list(scalars), depth + 1)
        made = inner[-1].name
        self.say(depth + 1, '"scf.forall.in_parallel"() ({')
        insert = f'"tensor.parallel_insert_slice"({made}, {shared}, {j})'
        segments = "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>"
        self.say(depth + 2, f"{insert} <{{{segments}, {SLICED}}}> : ({PART}, {WIDE}, index) -> ()")
        self.say(depth + 1, "}) : () -> ()")
        self.say(depth, f"}}) : ({WIDE}) -> {WIDE}")
        tensors.append(Value(result, "A"))

    def region(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """A few ops in an `scf.execute_region`."""
        kind, result = self.rng.choice("A4M"), self.name()
        self.say(depth, f'{result} = "scf.execute_region"() ({{')
        inner = list(tensors)
        self.block(inner, list(indices), list(scalars), depth + 1, most=3)
        self.say(depth + 1, f"scf.yield {self.newest(inner, kind).name} : {TYPES[kind]}")
        self.say(depth, f"}}) : () -> {TYPES[kind]}")
        tensors.append(Value(result, kind))

    def transfer(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        """4 elements of one tensor are read, and written to another one."""
        one, other, read, result = self.pick(tensors, "AN4"), self.pick(tensors, "AN"), self.name(), self.name()
        said = f"in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = {SAME}"
        where = "%c0" if one.kind == "4" else self.rng.choice(indices)
        types = f"({TYPES[one.kind]}, index, i64) -> vector<4xi64>"
        self.say(depth, f'{read} = "vector.transfer_read"({one.name}, {where}, %seven) <{{{said}}}> : {types}')
        given = f"{read}, {other.name}, {self.rng.choice(indices)}"
        types = f"(vector<4xi64>, {TYPES[other.kind]}, index) -> {TYPES[other.kind]}"
        self.say(depth, f'{result} = "vector.transfer_write"({given}) <{{{said}}}> : {types}')
        self.followed(result, other)
        tensors.append(Value(result, other.kind))

    def allocated(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "A4M"), self.name()
        said = "operandSegmentSizes = array<i32: 0, 1, 0>"
        types = f"({TYPES[one.kind]}) -> {TYPES[one.kind]}"
        self.say(depth, f'{result} = "bufferization.alloc_tensor"({one.name}) <{{{said}}}> : {types}')
        tensors.append(Value(result, one.kind))

    def materialized(self, tensors: list[Value], indices: list[str], scalars: list[str], depth: int) -> None:
        one, result = self.pick(tensors, "A4MN"), self.name()
        into, type_ = self.pick(tensors, one.kind), TYPES[one.kind]
        given, types = f"{one.name}, {into.name}", f"({type_}, {type_}) -> {type_}"
        self.say(depth, f'{result} = "bufferization.materialize_in_destination"({given}) : {types}')
        tensors.append(Value(result, one.kind))
