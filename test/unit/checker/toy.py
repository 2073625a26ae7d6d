"""Programs of ops that exist for their contracts alone, and a generator of random ones with random decisions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    UnregisteredOp,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, var_operand_def, var_result_def

from lastuse.dialect.storage import attrs, layout
from lastuse.dialect.storage.contract import Contract, Contribution, InPlace, View
from lastuse.dialect.storage.layout import Strided
from lastuse.dialect.storage.registration import register_contract


@irdl_op_definition
class Toy(IRDLOperation):
    """An op that is nothing but the contract it was made with."""

    name = "toy.op"
    ins = var_operand_def()
    outs = var_result_def()


CONTRACTS: WeakKeyDictionary[Operation, Contract] = WeakKeyDictionary()
register_contract(Toy, lambda op: CONTRACTS[op])


def tensor(*shape: int, item: int = 1) -> TensorType:
    """A tensor of `item` bytes an element."""
    return TensorType({1: i8, 2: i16, 8: i64}[item], list(shape))


class Program:
    """Builds one function, op by op."""

    def __init__(self, *arguments: TensorType) -> None:
        self.block = Block(arg_types=arguments)
        self.notes: list[str] = []
        self.attributes: dict[int, dict[str, Attribute]] = {}
        self.tied: dict[int, int] = {}
        self.arena = 0
        for index, argument in enumerate(self.block.args):
            argument.name_hint = f"x{index}"

    @property
    def arguments(self) -> Sequence[SSAValue]:
        return self.block.args

    def op(
        self,
        contract: Contract | None,
        operands: Sequence[SSAValue],
        *types: TensorType,
        inplace: int | Sequence[int] | None = None,
        reuse: int | Sequence[int] | None = None,
        offset: int | Sequence[int] | None = None,
        parts: Sequence[int] = (),
        scratch: int = -1,
        copy: bool = False,
        name: str = "",
    ) -> list[SSAValue]:
        """Append an op; None for a foreign one. Decisions are given for the first result, or for all."""
        if contract is None:
            made = UnregisteredOp.with_name("other.op").create(
                operands=list(operands), result_types=list(types), attributes={"op_name__": StringAttr("other.op")}
            )
        else:
            made = Toy.create(operands=list(operands), result_types=list(types))
            CONTRACTS[made] = contract

        def spread(given: int | Sequence[int] | None) -> list[int]:
            if given is None:
                return [-1] * len(types)
            return [given] + [-1] * (len(types) - 1) if isinstance(given, int) else list(given)

        attrs.set_entries(made, attrs.INPLACE, spread(inplace))
        attrs.set_entries(made, attrs.REUSE, spread(reuse))
        attrs.set_entries(made, attrs.OFFSET, spread(offset))
        attrs.set_entries(made, attrs.PARTS, parts)
        if scratch >= 0:
            made.attributes[attrs.SCRATCH_OFFSET] = IntegerAttr(scratch, i64)
        if copy:
            made.attributes[attrs.COPY] = UnitAttr()
        self.block.add_op(made)
        for index, result in enumerate(made.results):
            result.name_hint = (name or f"v{len(list(self.block.ops))}") + "abcdef"[index] * (len(types) > 1)
        return list(made.results)

    def give(self, argument: int) -> None:
        """Donate an argument."""
        self.attributes.setdefault(argument, {})[attrs.DONATED] = UnitAttr()

    def number(self, argument: int, storage: int) -> None:
        """Give an argument a storage number."""
        self.attributes.setdefault(argument, {})[attrs.REUSE] = IntegerAttr(storage, i32)

    def done(self, *returned: SSAValue) -> FuncOp:
        """The function, in a module of its own."""
        self.block.add_op(ReturnOp(*returned))
        types = FunctionType.from_lists(list(self.block.arg_types), [v.type for v in returned])
        func = FuncOp("main", types, Region(self.block))
        func.arg_attrs = ArrayAttr([DictionaryAttr(self.attributes.get(i, {})) for i in range(len(self.block.args))])
        func.res_attrs = ArrayAttr(
            [
                DictionaryAttr({attrs.TIED: IntegerAttr(self.tied[i], i32)} if i in self.tied else {})
                for i in range(len(returned))
            ]
        )
        if self.arena:
            func.attributes[attrs.ARENA_BYTES] = IntegerAttr(self.arena, i64)
        self.module = ModuleOp([func])
        return func


# Contracts


def unary(strided: bool = False, scratch: int = 0) -> Contract:
    return Contract(over=(InPlace(0, 0),), strided=strided, scratch=scratch)


def binary(repeats: bool = True, strided: bool = False) -> Contract:
    return Contract(over=(InPlace(0, 0, repeats), InPlace(0, 1, repeats, by_swapping=True)), strided=strided)


OPAQUE = Contract()
CONSTANT = Contract(constant=True)
SHAPE_ONLY = Contract(over=(InPlace(0, 0),), metadata_only=frozenset({0}))


def view(map_: layout.LayoutMap, whole: bool = False, injective: bool = True) -> Contract:
    return Contract(views=(View(0, 0, map_, whole, injective),))


def scatter(into: layout.LayoutMap) -> Contract:
    return Contract(
        over=(InPlace(0, 0),), contributions=(Contribution(0, into, complement=True), Contribution(1, into))
    )


def concat(*sizes: int, axis: int = 0) -> Contract:
    starts = [sum(sizes[:k]) for k in range(len(sizes))]
    return Contract(
        contributions=tuple(
            Contribution(k, layout.sliced(axis, start, size, 1), may_be_produced_in_place=True)
            for k, (start, size) in enumerate(zip(starts, sizes, strict=True))
        )
    )


def pad(before: int, size: int) -> Contract:
    return Contract(
        contributions=(Contribution(0, layout.sliced(0, before, size, 1), may_be_produced_in_place=True),), fill=True
    )


COPY = Contract(over=(InPlace(0, 0),), contributions=(Contribution(0, layout.identical),))
COPY_INTO = Contract(
    over=(InPlace(0, 0),), contributions=(Contribution(1, layout.identical),), metadata_only=frozenset({0})
)


# Random programs


class Size(NamedTuple):
    shape: tuple[int, ...]
    item: int


SIZES = [
    Size((4,), 1),
    Size((6,), 1),
    Size((2, 3), 1),
    Size((3, 2), 1),
    Size((2, 2), 1),
    Size((3, 4), 1),
    Size((2, 2), 2),
]


def sized(value: SSAValue) -> Size:
    type_ = value.type
    assert isinstance(type_, TensorType)
    return Size(tuple(type_.get_shape()), {"i8": 1, "i16": 2}[str(type_.element_type)])


def of(size: Size) -> TensorType:
    return tensor(*size.shape, item=size.item)


class Generator:
    """Random straight-line programs with random decisions, some right, some wrong; none unless `decided`."""

    def __init__(self, rng: random.Random, decided: bool = True) -> None:
        self.rng = rng
        self.eager = rng.choice([0.0, 0.2, 0.5, 0.5, 0.8]) if decided else 0.0
        self.arena = rng.choice([0, 0, 12, 24]) if decided else 0
        count = rng.randint(1, 3)
        self.program = Program(*(of(rng.choice(SIZES)) for _ in range(count)))
        self.program.arena = self.arena
        self.values: list[SSAValue] = list(self.program.arguments)
        for argument in range(count):
            if rng.random() < 0.3:
                self.program.give(argument)
            if rng.random() < 0.1 and argument == 0:
                self.program.number(argument, 0)

    def make(self) -> FuncOp:
        rng = self.rng
        for _ in range(rng.randint(2, 8)):
            rng.choice(
                [self.unary, self.unary, self.binary, self.binary, self.views, self.views, self.scatter, self.concat]
                + [self.copies, self.foreign, self.several, self.pad, self.constant, self.expand]
            )()
        returned = rng.sample(self.values, min(len(self.values), rng.randint(1, 2)))
        if rng.random() < 0.7:
            returned[0] = self.values[-1]
        fits = [
            (r, a.index) for r, value in enumerate(returned) for a in self.program.block.args if a.type == value.type
        ]
        if fits and rng.random() < 0.3:
            result, argument = rng.choice(fits)
            self.program.tied[result] = argument
        return self.program.done(*returned)

    def pick(self) -> SSAValue:
        """A value, the latest likeliest."""
        if self.rng.random() < 0.6:
            return self.values[max(len(self.values) - self.rng.randint(1, 3), 0)]
        return self.rng.choice(self.values)

    def like(self, size: Size) -> SSAValue:
        fits = [v for v in self.values if sized(v) == size]
        return fits[-1] if fits and self.rng.random() < 0.5 else self.rng.choice(fits)

    def add(self, contract: Contract | None, operands: Sequence[SSAValue], *sizes: Size, parts: int = 0) -> None:
        rng, eager = self.rng, self.eager
        inplace, reuse, offset = [-1] * len(sizes), [-1] * len(sizes), [-1] * len(sizes)
        for r, size in enumerate(sizes):
            fits = [k for k, v in enumerate(operands) if sized(v) == size]
            roll = rng.random()
            if contract is None or contract.constant:
                continue
            if roll < eager * 0.6 and fits:
                inplace[r] = rng.choice(fits)
            elif roll < eager * 0.8:
                reuse[r] = rng.randint(0, 2)
            elif roll < eager and self.arena:
                offset[r] = 2 * rng.randint(0, self.arena // 2 - 1)
        scratch = contract.scratch if contract is not None else 0
        made = self.program.op(
            contract,
            operands,
            *(of(s) for s in sizes),
            inplace=inplace,
            reuse=reuse,
            offset=offset,
            parts=[k for k in range(parts) if rng.random() < eager],
            scratch=2 * rng.randint(0, self.arena // 2)
            if scratch and self.arena and eager and rng.random() < 0.7
            else -1,
            copy=bool(contract and contract.views) and rng.random() < 0.15,
        )
        self.values += made

    def unary(self) -> None:
        x = self.pick()
        scratch = self.rng.choice([0, 0, 0, 3])
        self.add(unary(self.rng.random() < 0.8, scratch), [x], sized(x))

    def binary(self) -> None:
        x = self.pick()
        other = self.like(sized(x)) if self.rng.random() < 0.8 else self.pick()
        contract = binary(self.rng.random() < 0.6, True) if self.rng.random() < 0.85 else Contract(strided=True)
        if self.rng.random() < 0.1:
            contract = SHAPE_ONLY._replace(strided=True)
        self.add(contract, self.rng.sample([x, other], 2), sized(x))

    def several(self) -> None:
        x, y = self.pick(), self.pick()
        contract = Contract(over=(InPlace(0, 0), InPlace(1, 1)), strided=True)
        self.add(contract, [x, y], sized(x), sized(y))

    def constant(self) -> None:
        self.add(CONSTANT, [], self.rng.choice(SIZES))

    def views(self) -> None:
        x = self.pick()
        (shape, item), rng = sized(x), self.rng
        kind = rng.choice(["slice", "slice", "reshape", "transpose", "split"])
        if kind == "reshape":
            count = Strided.dense(shape, item).count
            to = rng.choice(
                [s for s in ((4,), (6,), (2, 3), (3, 2), (2, 2), (12,), (3, 4)) if Strided.dense(s, 1).count == count]
                or [shape]
            )
            self.add(view(layout.reshaped(to), whole=True), [x], Size(to, item))
        elif kind == "transpose" and len(shape) == 2:
            self.add(view(layout.permuted((1, 0))), [x], Size(shape[::-1], item))
        elif kind == "split" and shape[-1] % 2 == 0:
            half, dim = shape[-1] // 2, len(shape) - 1
            maps = [layout.sliced(dim, start, half, 1) for start in (0, half)]
            contract = Contract(views=tuple(View(r, 0, m) for r, m in enumerate(maps)))
            self.add(contract, [x], *[Size((*shape[:-1], half), item)] * 2)
        else:
            map_, size = self.slice(Size(shape, item))
            self.add(view(map_), [x], size)

    def expand(self) -> None:
        x = self.pick()
        shape, item = sized(x)
        if len(shape) == 1:
            self.add(view(layout.expanded((2, *shape)), injective=False), [x], Size((2, *shape), item))

    def slice(self, size: Size) -> tuple[layout.LayoutMap, Size]:
        rng, shape = self.rng, size.shape
        dim = rng.randrange(len(shape))
        count = rng.randint(1, shape[dim])
        step = rng.choice([1, 1, 2]) if count * 2 <= shape[dim] else 1
        start = rng.randint(0, shape[dim] - (count - 1) * step - 1)
        return layout.sliced(dim, start, count, step), Size((*shape[:dim], count, *shape[dim + 1 :]), size.item)

    def scatter(self) -> None:
        x = self.pick()
        map_, size = self.slice(sized(x))
        fits = [v for v in self.values if sized(v) == size]
        if not fits or self.rng.random() < 0.4:
            self.add(view(map_), [x], size)
            if self.rng.random() < 0.7:
                self.add(unary(True), [self.values[-1]], size)
            fits = [self.values[-1]]
        self.add(scatter(map_), [x, self.rng.choice(fits)], sized(x))

    def concat(self) -> None:
        x = self.pick()
        fits = [v for v in self.values if sized(v)[0][1:] == sized(x)[0][1:] and sized(v).item == sized(x).item]
        chosen = [self.rng.choice(fits) for _ in range(self.rng.randint(1, 2))] + [x]
        sizes = [sized(v).shape[0] for v in chosen]
        self.add(concat(*sizes), chosen, Size((sum(sizes), *sized(x).shape[1:]), sized(x).item), parts=len(chosen))

    def pad(self) -> None:
        x = self.pick()
        shape, item = sized(x)
        before, after = self.rng.randint(0, 2), self.rng.randint(0, 2)
        self.add(pad(before, shape[0]), [x], Size((before + shape[0] + after, *shape[1:]), item), parts=1)

    def copies(self) -> None:
        x = self.pick()
        if self.rng.random() < 0.5:
            self.add(COPY, [x], sized(x))
        else:
            self.add(COPY_INTO, [self.like(sized(x)), x], sized(x))

    def foreign(self) -> None:
        if self.rng.random() < 0.5:
            sources = [self.pick() for _ in range(self.rng.randint(1, 2))]
            self.add(None, sources, sized(self.rng.choice(sources)))


def generate(seed: int, decided: bool = True) -> FuncOp:
    """The random program of a seed."""
    return Generator(random.Random(seed), decided).make()
