"""Random programs with branches, loops, blocks, calls and foreign ops, on top of the straight-line ones.

Regions see the values before them and hand on some of theirs; loops run zero to three times, by an argument or by a
counter of their own. Blocks are drawn as diamonds and loops between straight pieces. Functions that are called have
arguments of their own, some donated, some tied to.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import numpy as np
from xdsl.dialects import arith, cf, func, scf, tensor
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr, UnregisteredOp, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lastuse.dialect.dnn import OPERATIONS

from . import DRAWN, Generated, array_of, function
from .builder import Builder, Maker, Value

DEPTH = 2
"""Regions stand in at most so many others."""
INDEX = IndexType()
Control = Callable[["FlowBuilder"], None]


class FlowBuilder(Builder):
    """Beside tensors: scalars that steer, regions, blocks, functions, ops of an unknown dialect."""

    drawn: Sequence[Maker] = DRAWN
    """What computes is drawn from these."""

    def __init__(self, number: Callable[[int, int], int], foreign: bool = False) -> None:
        super().__init__(number)
        self.foreign = foreign
        self.blocks = [self.entry]
        self.functions: list[func.FuncOp] = []
        """What is called."""
        self.scalars: list[SSAValue] = []
        """Scalar arguments."""
        self.indices: dict[int, SSAValue] = {}
        self.depth = 0

    def add(self, op: Operation) -> Operation:
        self.block.add_op(op)
        return op

    def scalar(self, type_: Attribute) -> SSAValue:
        """A scalar argument of the function, perhaps one that is there already."""
        found = [value for value in self.scalars if value.type == type_]
        if found and not self.chance(3):
            return self.choose(found)
        value = self.entry.insert_arg(type_, len(self.entry.args))
        value.name_hint = f"c{len(self.scalars)}"
        self.scalars.append(value)
        return value

    def index(self, number: int) -> SSAValue:
        """A number, one op for all its users."""
        if number not in self.indices:
            op = arith.ConstantOp.from_int_and_width(number, INDEX)
            first = self.entry.first_op
            self.entry.add_op(op) if first is None else self.entry.insert_op_before(op, first)
            self.indices[number] = op.result
        return self.indices[number]

    def draw(self, most: int) -> None:
        """One to `most` ops."""
        for _ in range(self.number(1, most)):
            self.control() if self.chance(5) else self.choose(self.drawn)(self)

    def control(self) -> None:
        """Draw control flow, or an op that only a compiler can deal with."""
        makers = self.controls()
        if makers:
            self.choose(makers)(self)

    def call(self) -> None:
        """Draw a function, and its call."""
        _call(self)

    def controls(self) -> list[Control]:
        """What may be drawn here."""
        makers: list[Control] = [_if, _for, _while, lambda b: b.call()] if self.depth < DEPTH else []
        if not self.depth:
            makers += [_diamond, _cycle]
        return [*makers, *(FOREIGN if self.foreign else ())]

    @contextmanager
    def inside(self, block: Block) -> Generator[Block, None, None]:
        """Ops go to `block`, and values drawn there are out of sight afterwards. New arguments stay."""
        outer, values, views = self.block, self.values, self.views
        self.block, self.values, self.views = block, list(values), list(views)
        yield block
        self.block, self.views = outer, views
        self.values = [*values, *(v for v in self.arguments if v not in values)]

    @contextmanager
    def region(self, block: Block) -> Generator[Block, None, None]:
        """`inside` a block that an op holds."""
        self.depth += 1
        with self.inside(block):
            yield block
        self.depth -= 1

    def some(self, least: int, most: int) -> list[Value]:
        """Values, the recent ones first; fewer where there are none."""
        return [self.choose(self.values[-6:][::-1]) for _ in range(self.number(least, most)) if self.values]

    def next(self, slot: Value) -> Value:
        """What a loop carries on: some value of the slot's type, often made of the slot's own."""
        if slot.dtype == "i1" or 0 in slot.shape or self.chance(3):
            return self.like(slot)
        other = [self.like(slot)] * self.number(0, 1)
        op = self.choose(["add", "mul"] if other else ["neg", "abs"])
        return self.emit(op, [slot, *other], "", slot.kind)

    def define(self, results: Sequence[SSAValue], like: Sequence[Value]) -> list[Value]:
        """What values of these types are called from now on."""
        return self.seen(results, [v.kind for v in like], "r")


def ssa(values: Sequence[Value]) -> list[SSAValue]:
    return [v.value for v in values]


def types(values: Sequence[Value]) -> list[Attribute]:
    return [v.type for v in values]


def _if(b: FlowBuilder) -> None:
    condition = b.scalar(i1)
    with b.region(Block()) as first:
        b.draw(2)
        yielded = b.some(1, 2)
        b.add(scf.YieldOp(*ssa(yielded)))
    with b.region(Block()) as second:
        if b.chance(2):
            b.draw(2)
        b.add(scf.YieldOp(*ssa([b.like(v) for v in yielded])))
    op = b.add(scf.IfOp(condition, types(yielded), [first], [second]))
    b.define(op.results, yielded)


def _for(b: FlowBuilder) -> None:
    zero, one, count = b.index(0), b.index(1), b.scalar(INDEX)
    inits = b.some(1, 2)
    with b.region(Block(arg_types=[INDEX, *types(inits)])) as body:
        slots = b.define(body.args[1:], inits)
        b.draw(2)
        b.add(scf.YieldOp(*ssa([b.next(v) for v in slots])))
    b.define(b.add(scf.ForOp(zero, count, one, ssa(inits), body)).results, inits)


def _onward(b: FlowBuilder, slot: Value, arrived: Sequence[Value]) -> Value:
    """What the loop starts the next round from: made of what has arrived, where that has the slot's type."""
    found = [v for v in arrived if v.kind == slot.kind]
    return b.next(b.choose(found)) if found else b.like(slot)


def _while(b: FlowBuilder) -> None:
    """Counts beside what it carries; what it hands on need not be what it starts from."""
    zero, one, count = b.index(0), b.index(1), b.scalar(INDEX)
    inits = b.some(1, 2)
    with b.region(Block(arg_types=[INDEX, *types(inits)])) as before:
        slots = b.define(before.args[1:], inits)
        if b.chance(3):
            b.draw(2)
        passed = b.some(1, 2)
        more = b.add(arith.CmpiOp(before.args[0], count, "slt"))
        b.add(scf.ConditionOp(more.results[0], before.args[0], *ssa(passed)))
    with b.region(Block(arg_types=[INDEX, *types(passed)])) as after:
        arrived = b.define(after.args[1:], passed)
        b.draw(2)
        yielded = [_onward(b, v, arrived) for v in slots]
        following = b.add(arith.AddiOp(after.args[0], one))
        b.add(scf.YieldOp(following.results[0], *ssa(yielded)))
    op = b.add(scf.WhileOp([zero, *ssa(inits)], [INDEX, *types(passed)], [before], [after]))
    b.define(op.results[1:], passed)


def _diamond(b: FlowBuilder) -> None:
    """Two blocks and the one where they meet again, which the program goes on in."""
    given = b.some(0, 2)
    left, right = Block(arg_types=types(given)), Block()
    b.add(cf.ConditionalBranchOp(b.scalar(i1), left, ssa(given), right, []))
    with b.inside(left):
        b.define(left.args, given)
        b.draw(2)
        handed = b.some(1, 2)
        meet = Block(arg_types=types(handed))
        b.add(cf.BranchOp(meet, *ssa(handed)))
    with b.inside(right):
        b.draw(2)
        b.add(cf.BranchOp(meet, *ssa([b.like(v) for v in handed])))
    b.blocks += [left, right, meet]
    b.block = meet
    b.define(meet.args, handed)


def _cycle(b: FlowBuilder) -> None:
    """A loop of blocks: the head asks, the body goes back to it."""
    zero, one, count = b.index(0), b.index(1), b.scalar(INDEX)
    inits = b.some(1, 2)
    head, body, rest = Block(arg_types=[INDEX, *types(inits)]), Block(), Block()
    turn = head.args[0]
    b.add(cf.BranchOp(head, zero, *ssa(inits)))
    b.blocks.append(head)
    b.block = head
    slots = b.define(head.args[1:], inits)
    if b.chance(3):
        b.draw(2)
    more = b.add(arith.CmpiOp(turn, count, "slt"))
    b.add(cf.ConditionalBranchOp(more.results[0], body, [], rest, []))
    with b.region(body):
        b.draw(2)
        yielded = [b.next(v) for v in slots]
        following = b.add(arith.AddiOp(turn, one))
        b.add(cf.BranchOp(head, following.results[0], *ssa(yielded)))
    b.blocks += [body, rest]
    b.block = rest


def _call(b: FlowBuilder) -> None:
    """A function of a few ops, straight on, and its call."""
    inner = Builder(b.number)
    for _ in range(b.number(1, 3)):
        b.choose(DRAWN)(inner)
    results = [inner.choose(inner.values[::-1]) for _ in range(b.number(1, 2))]
    callee, _ = function(f"f{len(b.functions)}", inner, [inner.entry], results)
    b.functions.append(callee)
    _called(b, callee, [b.like(v) for v in inner.arguments], results)
    if b.chance(3):
        _called(b, callee, [b.like(v) for v in inner.arguments], results)


def _called(b: FlowBuilder, callee: func.FuncOp, operands: Sequence[Value], results: Sequence[Value]) -> None:
    b.define(b.add(func.CallOp(callee.sym_name.data, ssa(operands), types(results))).results, results)


# What only the compiler deals with.


def _foreign(b: FlowBuilder) -> None:
    """An op of which nothing is declared: its results may be any part of its operands."""
    operands = b.some(1, 2)
    made = [b.choose(b.values[-4:]) for _ in range(b.number(1, 2)) if b.values]
    class_ = UnregisteredOp.with_name("strange.op")
    b.define(b.add(class_.create(operands=ssa(operands), result_types=types(made))).results, made)


def _captures(b: FlowBuilder) -> None:
    """One that holds a region, in which it names values from outside."""
    made = b.some(1, 1)
    with b.region(Block()) as block:
        b.draw(2)
        class_ = UnregisteredOp.with_name("strange.yield")
        b.add(class_.create(operands=ssa(b.some(0, 2))))
    class_ = UnregisteredOp.with_name("strange.region")
    b.define(b.add(class_.create(result_types=types(made), regions=[Region(block)])).results, made)


def _opaque(b: FlowBuilder) -> None:
    """An op that reads its operands and makes a fresh result, and that no engine runs."""
    operands = b.some(1, 2)
    if operands:
        attributes = {"kind": StringAttr("some")}
        class_ = OPERATIONS["dnn.opaque"]
        op = class_.create(operands=ssa(operands), result_types=types(operands[:1]), attributes=attributes)
        b.define(b.add(op).results, operands[:1])


def _outside(b: FlowBuilder) -> None:
    """A call of a function that stands elsewhere."""
    operands, made = b.some(1, 2), b.some(1, 1)
    callee = func.FuncOp.external(f"f{len(b.functions)}", types(operands), types(made))
    b.functions.append(callee)
    _called(b, callee, operands, made)


def _registered(b: FlowBuilder) -> None:
    """An op of a dialect whose contract comes with us."""
    x = b.of("f32", "f64", rank=1)
    kind = b.number(0, 2)
    if kind == 0:
        y = b.like(x)
        b.define(b.add(b.choose([arith.AddfOp, arith.MulfOp])(x.value, y.value)).results, [x])
        return
    offsets = [b.number(0, n - 1) for n in x.shape]
    part = Value("", tuple(b.number(1, n - o) for n, o in zip(x.shape, offsets, strict=True)), x.dtype)
    ones = [1] * len(x.shape)
    if kind == 1:
        op = tensor.ExtractSliceOp.from_static_parameters(x.value, offsets, part.shape, ones)
        b.define(b.add(op).results, [part])
    else:
        source = b.like(part)
        op = tensor.InsertSliceOp.from_static_parameters(source.value, x.value, offsets, part.shape, ones)
        b.define(b.add(op).results, [x])


FOREIGN = (_foreign, _foreign, _captures, _opaque, _outside, _registered, _registered)


def scalar_of(chance: np.random.Generator, type_: Attribute) -> np.ndarray:
    """A condition, or how often a loop runs."""
    return np.array(chance.random() < 0.5) if type_ == i1 else np.array(chance.integers(0, 4), np.int64)


def random_flow_program(seed: int) -> Generated:
    """One program of `build`: foreign ops in every fourth."""
    return build(random.Random(seed).randint, has_foreign(seed))


def has_foreign(seed: int) -> bool:
    """In program `seed` there may be ops that only a compiler can deal with."""
    return seed % 4 == 0


def build(number: Callable[[int, int], int], foreign: bool) -> Generated:
    """A program of one or two pieces of control flow between straight lines; some arguments are donated, some results
    tied."""
    b = FlowBuilder(number, foreign)
    for _ in range(b.number(1, 2)):
        b.draw(2)
        b.control()
    if b.chance(2):
        b.draw(2)
    results = b.some(1, 3) or [b.source((2, 3), "f32")]
    main, written = function("main", b, b.blocks, results)
    chance = np.random.default_rng(number(0, 9))
    inputs = {v.name: array_of(chance, v) for v in b.arguments}
    inputs |= {str(value.name_hint): scalar_of(chance, value.type) for value in b.scalars}
    return Generated(ModuleOp([main, *b.functions]), inputs, written)
