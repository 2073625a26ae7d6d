"""Random straight-line programs over all ops of the dnn dialect: for tests of whole pipelines.

`programs()` is a hypothesis strategy, `random_program(seed)` one program. Shapes are small; operands are mostly recent
values, so that chains, repeated operands, views of views and several readers of one value are common.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.example import example_of
from lastuse.dialect.ir.tensor_types import numpy_dtype

from .builder import Builder, Value, attributes_of
from .examples import maker_of
from .indexers import FORMS, INDEXERS
from .kernels import KERNELS
from .movers import MOVERS, PARTS
from .ragged_ops import RAGGED

__all__ = ["MAKERS", "Builder", "Generated", "function", "maker_of", "programs", "random_program"]

_GIVEN = {**KERNELS, **MOVERS, **INDEXERS, **RAGGED}
_OTHERS = {
    name: maker_of(cls)
    for name, cls in OPERATIONS.items()
    if name not in (*_GIVEN, "dnn.opaque") and not example_of(cls).opaque_values()
}
MAKERS = {**_GIVEN, **_OTHERS}
"""How each op is drawn; ops without a maker of their own are drawn by their class. `dnn.opaque`, which nothing runs, is
drawn beside foreign ops; ops with values that mean nothing to others only come from gradients."""


@dataclass(frozen=True)
class Generated:
    """A program, not yet verified, and arrays to run it on.

    Attributes:
        module: the program; its function is `main`.
        inputs: arrays by argument name.
        written: names of the arguments whose memory the program may write.
        values: tensors of the function's first block in order of definition, arguments included.
    """

    module: ModuleOp
    inputs: dict[str, np.ndarray] = field(compare=False)
    written: frozenset[str]
    values: tuple[SSAValue, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.module!s}\n"

    def open_module(self) -> ModuleOp:
        """The same function, nothing donated nor tied, all its `values` returned. It takes the program's ops away."""
        (func,) = (op for op in self.module.body.ops if isinstance(op, FuncOp))
        block = func.body.block
        last = block.last_op
        assert last is not None
        block.erase_op(last)
        block.add_op(ReturnOp(*self.values))
        block = func.body.detach_block(block)
        return ModuleOp([FuncOp("main", ([a.type for a in block.args], [v.type for v in self.values]), Region(block))])

    def __repr__(self) -> str:
        return self.text


VIEWS = ("dynamic_slice", "reshape", "flatten", "expand", "transpose", "multiout", "split", "unbind", *PARTS)
CARRIERS = ("dynamic_update_slice", "concat", "concat", "concat", "stack", "pad", *(f"{op}_scatter" for op in PARTS))
DRAWN = (
    *KERNELS.values(),
    *MOVERS.values(),
    *(MAKERS[f"dnn.{op}"] for op in (*VIEWS, *CARRIERS, *CARRIERS, "add", "mul", "relu", "neg", "exp")),
    *INDEXERS.values(),
    *FORMS,
    *RAGGED.values(),
    *_OTHERS.values(),
)
"""What is drawn from: what decisions are hard about comes more often."""


@st.composite
def programs(draw: Callable[[st.SearchStrategy[int]], int]) -> Generated:
    """Programs of `build`."""
    return build(lambda low, high: draw(st.integers(low, high)))


def random_program(seed: int) -> Generated:
    """One program of `build`."""
    return build(random.Random(seed).randint)


def build(number: Callable[[int, int], int]) -> Generated:
    """A program of 1 to 12 drawn ops, one to three results; some arguments are donated, some results tied."""
    b = Builder(number)
    for _ in range(13 - b.number(1, 12)):
        b.choose(DRAWN)(b)
    last = [v for v in b.values if v.name[0] == "v"] or b.values
    results = [last[-1], *(b.choose(b.values[::-1]) for _ in range(b.number(0, 2)))]
    func, written = function("main", b, [b.entry], results)
    chance = np.random.default_rng(b.number(0, 9))
    inputs = {v.name: array_of(chance, v) for v in b.arguments}
    return Generated(ModuleOp([func]), inputs, written, tuple(v.value for v in b.values))


def function(name: str, b: Builder, blocks: Sequence[Block], results: Sequence[Value]) -> tuple[FuncOp, frozenset[str]]:
    """What was drawn as a function, and the arguments it may write: some are donated, some results tied."""
    donated = {v.name for v in b.arguments if b.chance(3)}
    tied: dict[int, int] = {}
    for r, value in enumerate(results):
        free = [k for k, a in enumerate(b.arguments) if a.kind == value.kind and k not in tied.values()]
        if free and b.chance(4):
            tied[r] = b.choose(free)
    b.block.add_op(ReturnOp(*(v.value for v in results)))
    given = [attributes_of("dnn.donated" if a.name_hint in donated else "") for a in b.entry.args]
    ties = [attributes_of(f"dnn.tied = {tied[r]} : i32" if r in tied else "") for r in range(len(results))]
    types = [a.type for a in b.entry.args], [v.type for v in results]
    func = FuncOp(name, types, Region(blocks), arg_attrs=_attributes(given), res_attrs=_attributes(ties))
    return func, frozenset(donated | {b.arguments[k].name for k in tied.values()})


def _attributes(each: Sequence[dict[str, Attribute]]) -> ArrayAttr[DictionaryAttr] | None:
    return ArrayAttr([DictionaryAttr(one) for one in each]) if any(each) else None


def array_of(chance: np.random.Generator, value: Value) -> np.ndarray:
    """Numbers that are exact in every element type, a few of them -0."""
    if value.dtype == "i1":
        return chance.random(value.shape) < 0.5
    if value.dtype[0] in "iu":
        low = -4 if value.dtype[0] == "i" else 0
        return np.asarray(chance.integers(low, 5, value.shape), numpy_dtype(value.dtype))
    numbers = np.asarray(chance.integers(-16, 17, value.shape) / 8, numpy_dtype(value.dtype))
    return np.where(chance.random(value.shape) < 0.1, -np.zeros((), numbers.dtype), numbers)
