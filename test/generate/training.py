"""Random steps of training: a drawn program with a loss and trainable arguments, and its backward part."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Region

from lastuse.compiler.driver import context
from lastuse.compiler.module_utils import clone
from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.storage import verifier
from lastuse.passes.backward import BackwardPass

from . import DRAWN, MAKERS
from .builder import FLOATS, Builder, Maker, Value, attributes_of

OPTIMIZERS: tuple[Callable[[], BackwardPass], ...] = (
    BackwardPass,
    lambda: BackwardPass(clip=1.0),
    lambda: BackwardPass("sgd"),
    lambda: BackwardPass("sgd", weight_decay=0.1),
    lambda: BackwardPass("momentum", clip=0.5, weight_decay=0.1),
    lambda: BackwardPass("momentum", nesterov=True),
    lambda: BackwardPass("adam"),
    lambda: BackwardPass("adam", weight_decay=0.1, beta1=0.5),
)
"""What is drawn of the pass."""
DIFFERENTIABLE = tuple(
    maker
    for name, maker in MAKERS.items()
    if OPERATIONS[name].gradient is not DnnOp.gradient  # pyright: ignore
)
FRESH = ("add", "mul", "matmul", "tanh")
_CONTEXT = context()


def training_program(seed: int, optimizer: BackwardPass | None = None) -> ModuleOp:
    """Step of training number `seed`, verified.

    Args:
        optimizer: the pass; by default one is drawn.
    """
    return forward_and_step(seed, optimizer)[1]


def forward_and_step(seed: int, optimizer: BackwardPass | None = None) -> tuple[ModuleOp, ModuleOp]:
    """The forward part of step number `seed`, and the step: of the programs that are drawn for it the first one of
    which every op between a trainable argument and the loss has a gradient."""
    for attempt in count():
        chance = random.Random(f"{seed} {attempt} training")
        module = _with_loss(chance)
        if module is None:
            continue
        verifier.verify(module)
        chosen = chance.choice(OPTIMIZERS)() if optimizer is None else optimizer
        step = clone(module)
        try:
            chosen.apply(_CONTEXT, step)
        except LastuseError as error:
            if "has no gradient" in str(error) or "has a gradient of" in str(error):
                continue
            raise
        verifier.verify(step)
        return module, step
    raise AssertionError("count() ends")


def _with_loss(chance: random.Random) -> ModuleOp | None:
    """A forward part; None where it has no floating-point argument."""
    b = Builder(chance.randint)
    for _ in range(chance.randint(1, 9)):
        maker: Maker = chance.choice(DIFFERENTIABLE if chance.random() < 0.8 else DRAWN)
        maker(b)
    floats = [v for v in b.values if v.dtype in FLOATS and v.count]
    arguments = [v for v in b.arguments if v.dtype in FLOATS]
    if not floats or not arguments:
        return None
    loss = _loss(b, chance, floats)
    others = [chance.choice(b.values) for _ in range(chance.randint(0, 2))]
    results = [loss, *others]
    b.block.add_op(ReturnOp(*(v.value for v in results)))
    trainable = set(chance.sample(arguments, chance.randint(1, len(arguments))))
    given = [_argument(chance, argument, argument in trainable) for argument in b.arguments]
    marks = ["dnn.loss", *[""] * len(others)]
    types = [a.type for a in b.entry.args], [v.type for v in results]
    func = FuncOp("main", types, Region([b.entry]), arg_attrs=_attributes(given), res_attrs=_attributes(marks))
    return ModuleOp([func])


def _loss(b: Builder, chance: random.Random, floats: list[Value]) -> Value:
    """One number: the mean or sum of some of the values, recent ones first, each of its own weight."""
    read = {floats[-1], *(chance.choice(floats[-6:]) for _ in range(chance.randint(0, 2)))}
    parts = list[Value]()
    for number, value in enumerate(v for v in floats if v in read):
        if value.dtype != floats[-1].dtype:
            value = b.emit("cast", [value], "", (value.shape, floats[-1].dtype))
        if value.shape:
            kind = chance.choice(("reduce_sum", "reduce_mean", "reduce_sum_square"))
            value = b.emit(kind, [value], "", ((), value.dtype))
        parts.append(b.emit("scale", [value], f"scale = {number + 1}.5 : f32, bias = 0.0 : f32", ((), value.dtype)))
    while len(parts) > 1:
        parts[:2] = [b.emit("add", parts[:2], "", ((), parts[0].dtype))]
    return parts[0]


def _argument(chance: random.Random, argument: Value, is_trainable: bool) -> str:
    """Attributes of an argument."""
    if is_trainable:
        return "dnn.trainable"
    return "dnn.donated" if chance.random() < 0.3 else ""


def _attributes(each: list[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr(attributes_of(text)) for text in each])
