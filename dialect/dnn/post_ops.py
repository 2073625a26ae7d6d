"""Ops that have post-ops: elementwise ops applied to the result before it is written."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, StringAttr, UnitAttr, f32
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import opt_attr_def

from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase, ScaleOp
from lastuse.dialect.ir.remembered import remembered
from lastuse.dialect.ir.tensor_types import TensorInfo, symbol
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.post_ops import SUM, PostOp, fits_onednn
from lastuse.dialect.storage.contract import Contract, Engine, InPlace

T = TypeVar("T")
KEPT = 1024
"""Lists of stages that are kept, those asked for last: ops ask for their own many times, and many ops have the same."""
OP = "op"
"""The entry of a post-op that names it: a `dnn` op; the other entries but `sum` are the op's attributes."""


class Stage(NamedTuple):
    """A post-op of an op.

    Attributes:
        op: detached; its operand 0 stands for the value so far, operand 1 for a further operand of the op.
        number: of that further operand among the operands of the op; None where the post-op has none.
        is_sum: the result may be written over that operand, which is added to it.
    """

    op: ElementwiseBase
    number: int | None
    is_sum: bool


class PostOpsBase(DnnOp):
    """An op whose only result is handed to elementwise ops, element by element, before it is written.

    `post_ops`: these ops, in their order: `[{op = "dnn.add", sum}, {op = "dnn.relu"}]`, with their attributes. The
    value so far is operand 0 of each; operand 1, if it has one, is one of the last operands of this op, in the same
    order. The result may lie over what a `sum` adds.
    """

    post_ops = opt_attr_def(ArrayAttr)

    @abstractmethod
    def own_storage(self) -> Contract:
        """The contract without post-ops."""

    @abstractmethod
    def own_infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        """`infer` without post-ops."""

    @abstractmethod
    def own_reference(self, *operands: Array) -> Array:
        """The result without post-ops."""

    @abstractmethod
    def own_primitive(self, post_ops: tuple[PostOp, ...]) -> Primitive | None:
        """The oneDNN primitive with these post-ops."""

    def own_kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """`kernel` without post-ops."""
        np.copyto(results[0], self.own_reference(*operands), casting="unsafe")

    @property
    @abstractmethod
    def channel_axis(self) -> int:
        """The axis of the result along which weights differ."""

    @abstractmethod
    def scaled_channels(
        self, factor: Array, shift: Array, constant: Callable[[SSAValue], Array | None]
    ) -> Mapping[int, Array] | None:
        """Constants that make each channel of the result `factor` times what it is, plus `shift`; by the number of the
        operand that they replace, the first number behind the operands being a new one. None where there are none.

        Args:
            factor, shift: f64, of the channels.
            constant: the elements of an operand, None where they are not known.
        """

    def takes_whole_operands(self) -> bool:
        """Whether oneDNN has a fast post-op with an operand of the sizes of the result."""
        return True

    @property
    def entries(self) -> tuple[Mapping[str, Attribute], ...]:
        """What `post_ops` says; raises ValueError where an entry names no elementwise op."""
        stated = () if self.post_ops is None else self.post_ops.data
        entries = tuple(entry.data if isinstance(entry, DictionaryAttr) else {} for entry in stated)
        for entry in entries:
            name = entry.get(OP)
            cls = CALLEES.get(name.data) if isinstance(name, StringAttr) else None
            if cls is None or not issubclass(cls, ElementwiseBase) or arity(cls) not in (1, 2):
                raise ValueError(f"post_ops: {name} is no elementwise op with one or two operands")
        return entries

    @property
    @remembered
    def own_count(self) -> int:
        """How many operands do not belong to post-ops."""
        classes = [CALLEES[entry[OP].data] for entry in self.entries]  # pyright: ignore
        return len(self.operands) - sum(arity(cls) - 1 for cls in classes)

    @remembered
    def stages(self) -> Sequence[Stage]:
        """The post-ops; raises ValueError where one is none."""
        if self.post_ops is None:
            return ()
        count = self.own_count
        return _stages(self.post_ops, (self.results[0].type, *(v.type for v in self.operands[count:])), count)

    def storage(self) -> Contract:
        contract = self.own_storage()
        if self.post_ops is None:
            return contract
        over = tuple(InPlace(0, s.number) for s in self.stages() if s.is_sum and s.number is not None)
        return contract._replace(over=contract.over + over, backward=None)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        if self.post_ops is None:
            return self.own_infer(operands)
        count = self.own_count
        if count < 2:
            raise ValueError("post_ops have more operands than there are")
        (inferred,) = self.own_infer(operands[:count])
        result = _with_symbols(inferred)
        for number, stage in enumerate(self.stages()):
            further = [] if stage.number is None else [operands[stage.number]]
            if stage.is_sum and (number or not further or not adds(stage.op) or _differ(further[0], result)):
                raise ValueError("a sum adds an operand like the result, and is the first post-op")
            (made,) = stage.op.infer([result, *further])
            if made.dtype != result.dtype:
                raise ValueError(f"post_ops: {stage.op.name} makes another type of the result")
            if _differ(made, result):
                raise ValueError(f"post_ops: the operand of {stage.op.name} does not broadcast to the result")
        return (inferred,)

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        result = self.own_reference(*operands[: self.own_count])
        for stage in self.stages():
            further = [] if stage.number is None else [operands[stage.number]]
            (result,) = stage.op.reference(result, *further)
        return (result,)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        if self.post_ops is None:
            self.own_kernel(operands, results, scratch)
        else:
            super().kernel(operands, results, scratch)

    @remembered
    def primitive(self) -> Primitive | None:
        if self.post_ops is None:
            return self.own_primitive(())
        made = [PostOp(SUM) if stage.is_sum else stage.op.post_op() for stage in self.stages()]
        post_ops = tuple(post_op for post_op in made if post_op is not None)
        return self.own_primitive(post_ops) if len(post_ops) == len(made) and fits_onednn(post_ops) else None

    def takes_post_ops(self, engine: Engine | None) -> bool:
        """Whether the engine that runs the op without its last post-op runs it with them all.

        Args:
            engine: the one without; None where no engine has to run it.
        """
        return engine is Engine.ONEDNN and self.primitive() is not None

    def takes_broadcast_operands(self, engine: Engine | None) -> bool:
        """Whether the engine has fast post-ops with operands that broadcast to the result along any axes; else with one
        element for each channel, or for all, alone."""
        return False

    def with_post_op(self, op: ElementwiseBase, further: SSAValue | None, is_sum: bool = False) -> PostOpsBase:
        """This op with one more post-op, not yet in a block; the result has the type and the names of that op's.

        Args:
            op: reads the result as operand 0, or as either where it commutes.
            further: its other operand.
        """
        stated = {name: value for name, value in op.attributes.items() if "." not in name}
        entry = DictionaryAttr({OP: StringAttr(op.name), **stated, **({SUM: UnitAttr()} if is_sum else {})})
        stages = () if self.post_ops is None else self.post_ops.data
        operands = [*self.operands, *(() if further is None else (further,))]
        return self._replaced(op, operands, [*stages, entry])

    def with_scale(self, op: DnnOp, factor: float, shift: float) -> PostOpsBase:
        """As `with_post_op` for an op that makes factor * x + shift of each element x; one line with that of the last
        post-op, if this is one too."""
        stages, stated = self.stages(), [] if self.post_ops is None else list(self.post_ops.data)
        if stages and isinstance(stages[-1].op, ScaleOp):
            inner = stages[-1].op.affine(lambda _: None)
            factor, shift = factor * inner.factor.item(), factor * inner.shift.item() + shift
            stated.pop()
        numbers = {"scale": FloatAttr(factor, f32), "bias": FloatAttr(shift, f32)}
        return self._replaced(op, self.operands, [*stated, DictionaryAttr({OP: StringAttr(ScaleOp.name), **numbers})])

    def _replaced(self, op: DnnOp, operands: Sequence[SSAValue], entries: Sequence[Attribute]) -> PostOpsBase:
        attributes = {name: value for name, value in self.attributes.items() if "." not in name}
        fused = op.replacement(type(self), operands, {**attributes, "post_ops": ArrayAttr(entries)})
        assert isinstance(fused, PostOpsBase)
        return fused


@lru_cache(maxsize=KEPT)
def _stages(post_ops: ArrayAttr[Attribute], types: tuple[Attribute, ...], first: int) -> tuple[Stage, ...]:
    """The stages of valid entries, their operands from number `first` on; `types`: of the result and these."""
    number, made = first, list[Stage]()
    for entry in post_ops.data:
        assert isinstance(entry, DictionaryAttr)
        cls = CALLEES[entry.data[OP].data]  # pyright: ignore
        attributes = {name: value for name, value in entry.data.items() if name not in (OP, SUM)}
        unknown = set(attributes) - set(cls.get_irdl_definition().attributes)
        if unknown:
            raise ValueError(f"post_ops: {cls.name} has no attribute '{min(unknown)}'")
        several = arity(cls) == 2
        read = [types[0], types[1 + number - first]] if several else [types[0]]
        op = cls.create(operands=Block(arg_types=read).args, result_types=types[:1], attributes=attributes)
        assert isinstance(op, ElementwiseBase)
        made.append(Stage(op, number if several else None, SUM in entry.data))
        number += several
    return tuple(made)


def arity(cls: type[DnnOp] | type) -> int:
    """How many operands the ops of a class have."""
    return len(cls.get_irdl_definition().operands)


def adds(op: ElementwiseBase) -> bool:
    """Whether the op is a sum of two operands on f32."""
    post_op = op.post_op()
    return post_op is not None and (post_op.kind, post_op.alg) == ("binary", "add")


def _with_symbols(info: TensorInfo) -> TensorInfo:
    """With a symbol of its own for each size that no shape function tells, as that of a window with steps."""
    sizes = enumerate(info.shape, start=1)
    return info._replace(shape=tuple(symbol("_", -axis) if size is None else size for axis, size in sizes))


def _differ(a: TensorInfo, b: TensorInfo) -> bool:
    """The shapes are known to be two."""
    if len(a.shape) != len(b.shape):
        return True
    return any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(a.shape, b.shape, strict=True))
