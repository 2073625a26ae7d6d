"""Chains of elementwise ops behind an op that has post-ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from lastuse.dialect.dnn.affine import Affine, AffineBase
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.elementwise import ElementwiseBase
from lastuse.dialect.dnn.post_ops import PostOpsBase, adds
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import Engine, engine_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.transforms.constant_folding import (
    constant_elements,
    constant_of,
    erase_unread,
    insert_constant,
)
from lastuse.passes.transforms.engine import inherit_engine


class Unfused(NamedTuple):
    """Why a reader is not fused into the op that makes `value`."""

    reader: Operation
    value: SSAValue
    reason: Reason


class Fused(NamedTuple):
    """What became of an op.

    Attributes:
        op: it, or the op in its place.
        readers: names of the ops that it does the work of now.
        refusal: of the reader behind them, where that is one to ask.
    """

    op: PostOpsBase
    readers: Sequence[str]
    refusal: Unfused | None


class PostOpChains:
    """The ops with post-ops of a function, whose readers are fused into them one by one.

    Args:
        func: sizes of its values are inferred once.
        is_fast: whether oneDNN has a fast implementation of an op of known sizes; None: it is not asked.
    """

    def __init__(self, func: FuncOp, is_fast: Callable[[DnnOp], bool] | None = None) -> None:
        self._is_fast = is_fast
        self._sizes: dict[SSAValue, TensorInfo] = dict(infer_shapes(func))

    def fuse(self, op: PostOpsBase) -> Fused:
        """Fuses readers into the op until one is refused. Arrays of constants that nothing reads then stay."""
        readers, refusal = list[str](), None
        while (reader := _reader(op)) is not None:
            made = self._taken(op, reader)
            if isinstance(made, Reason):
                refusal = Unfused(reader, op.results[0], made)
                break
            readers.append(reader.name)
            self._replace(op, reader, made)
            op = made
        return Fused(op, readers, refusal)

    def _replace(self, op: PostOpsBase, reader: DnnOp, made: PostOpsBase) -> None:
        """Puts the fused op where all of its operands are there."""
        inherit_engine(made, op, reader)
        self._sizes[made.results[0]] = self._sizes[reader.results[0]]
        late = any(_is_behind(value, op) for value in made.operands)
        Rewriter.insert_op(made, InsertPoint.before(reader if late else op))
        reader.results[0].replace_all_uses_with(made.results[0])
        for old in (reader, op):
            old.detach()
            read = [value.owner for value in old.operands]
            old.erase()
            for owner in read:
                if isinstance(owner, DnnOp) and constant_of(owner.results[0]) is not None:
                    erase_unread(owner)

    def _taken(self, op: PostOpsBase, reader: DnnOp) -> PostOpsBase | Reason:
        """The op that does the work of both, not yet in a block."""
        if any(attrs.is_decided(each) for each in (op, reader)):
            return Reason.DECIDED
        engine, asked = engine_of(op) or op.engine(), engine_of(reader)
        if asked not in (None, Engine.ONEDNN, reader.engine()) or not op.takes_post_ops(engine):
            return Reason.NO_PRIMITIVE
        if reader.operands and list(reader.operands).count(op.results[0]) > 1:
            return Reason.USED_ELSEWHERE
        if len(reader.results) != 1 or self._sizes[reader.results[0]] != self._sizes[op.results[0]]:
            return Reason.SIZES
        if _is_forwarded(reader.results[0]) and any(_is_replaceable(value, reader) for value in op.operands):
            return Reason.CARRIED
        line = reader.affine(constant_elements) if isinstance(reader, AffineBase) else None
        if line is not None and reader.operands[line.operand] is op.results[0]:
            made = self._with_line(op, reader, line, engine)
            if made is not None:
                return made
        return self._with_post_op(op, reader, engine)

    def _with_line(self, op: PostOpsBase, reader: DnnOp, line: Affine, engine: Engine | None) -> PostOpsBase | None:
        """With a line in its weights; or, if it is one for all channels, behind its post-ops."""
        rank, axis = len(op.result_type().shape), op.channel_axis
        channels = op.result_type().shape[axis]
        terms = [_of_channels(term, rank, axis, channels) for term in (line.factor, line.shift)]
        if terms[0] is not None and terms[1] is not None and op.post_ops is None and _owns_weights(op):
            constants = op.scaled_channels(terms[0], terms[1], constant_elements)
            if constants is not None and all(np.isfinite(array).all() for array in constants.values()):
                return _with_constants(op, reader, constants)
        if prod(line.factor.shape) == prod(line.shift.shape) == 1:
            return _if_taken(op.with_scale(reader, line.factor.item(), line.shift.item()), engine)
        return None

    def _with_post_op(self, op: PostOpsBase, reader: DnnOp, engine: Engine | None) -> PostOpsBase | Reason:
        if not isinstance(reader, ElementwiseBase) or reader.post_op() is None:
            return Reason.NO_POST_OP
        position = list(reader.operands).index(op.results[0])
        if len(reader.operands) == 1:
            return _if_taken(op.with_post_op(reader, None), engine) or Reason.NO_POST_OP
        if position and not reader.COMMUTES:
            return Reason.NO_POST_OP
        further = reader.operands[1 - position]
        if self._sizes[further] == self._sizes[op.results[0]]:
            dies = _may_be_overwritten(further, op, reader)
            if adds(reader) and dies:
                made = _if_taken(op.with_post_op(reader, further, is_sum=True), engine)
                if made is not None:
                    return made
            if dies or not op.takes_whole_operands():
                return Reason.NO_POST_OP  # or in place over what dies here, which takes less memory
            made = _if_taken(op.with_post_op(reader, further), engine)
            refusal = None if made is None else self._slow(made)
            if made is not None and refusal is not None:
                made.drop_all_references()
            return refusal or made or Reason.NO_POST_OP
        elif not (op.takes_broadcast_operands(engine) or self._is_row(further, op)):
            return Reason.SIZES
        return _if_taken(op.with_post_op(reader, further), engine) or Reason.NO_POST_OP

    def _slow(self, made: PostOpsBase) -> Reason | None:
        """Why oneDNN's primitive of the op is not known to be a fast one; None where it is, where there is none, or it
        cannot be asked for."""
        if self._is_fast is None or (engine_of(made) or made.engine()) is Engine.NATIVE:
            return None
        if None in (size for value in (*made.operands, *made.results) for size in static_shape(value.type)):
            return Reason.SIZES
        return None if self._is_fast(made) else Reason.NO_POST_OP

    def _is_row(self, value: SSAValue, op: PostOpsBase) -> bool:
        """One element for each channel, or for all."""
        shape, rank = self._sizes[value].shape, len(op.result_type().shape)
        if len(shape) > rank:
            return False
        wide = (1,) * (rank - len(shape)) + tuple(shape)
        channels = self._sizes[op.results[0]].shape[op.channel_axis]
        return all(size == 1 or (axis == op.channel_axis and size == channels) for axis, size in enumerate(wide))


def _if_taken(made: PostOpsBase, engine: Engine | None) -> PostOpsBase | None:
    """The op, if the engine runs it; else it reads nothing any more, and is to be dropped."""
    if made.takes_post_ops(engine):
        return made
    made.drop_all_references()
    return None


def _reader(op: PostOpsBase) -> DnnOp | None:
    """The op that alone reads the result, in the same block; None where there is none, or several."""
    users = {id(use.operation): use.operation for use in op.results[0].uses}
    reader = next(iter(users.values()), None)
    fits = len(users) == 1 and isinstance(reader, DnnOp) and reader.parent is op.parent
    if not fits or not isinstance(reader, ElementwiseBase | AffineBase):
        return None
    return reader


def _is_forwarded(value: SSAValue) -> bool:
    """A loop carries the value on, a branch hands it over, or the function returns it."""
    return any(use.operation.has_trait(IsTerminator) for use in value.uses)


def _is_replaceable(value: SSAValue, reader: Operation) -> bool:
    """The value is an argument of a block in whose memory a result of `reader` may lie: a carried or donated one."""
    if not isinstance(value, BlockArgument) or value.type != reader.results[0].type:
        return False
    is_of_function = isinstance(value.block.parent_op(), FuncOp) and value.block.prev_block is None
    return attrs.is_donated(value) if is_of_function else True


def _is_behind(value: SSAValue, op: Operation) -> bool:
    """The value is computed behind the op in its block."""
    owner = value.owner
    return isinstance(owner, Operation) and owner.parent is op.parent and op.is_before_in_block(owner)


def _owns_weights(op: PostOpsBase) -> bool:
    """No other op reads the constant weights: scaled ones would be stored in addition."""
    weights = constant_of(op.operands[1])
    return weights is not None and weights.y.uses.get_length() == 1


def _of_channels(term: Array, rank: int, axis: int, channels: Dim | None) -> Array | None:
    """A term of a line for each channel; None where it differs along other axes."""
    wide = (1,) * (rank - term.ndim) + term.shape
    if not isinstance(channels, int) or term.ndim > rank or any(size != 1 for k, size in enumerate(wide) if k != axis):
        return None
    return np.broadcast_to(term.reshape(-1), (channels,)) if wide[axis] in (1, channels) else None


def _with_constants(op: PostOpsBase, reader: DnnOp, constants: Mapping[int, Array]) -> PostOpsBase:
    operands = list(op.operands)
    for number, array in sorted(constants.items()):
        if number == len(operands) and not array.any():
            continue
        like = op.operands[min(number, len(operands) - 1)]
        made = insert_constant(op, array.astype(np.float32), like).y
        operands[number : number + 1] = [made]
    attributes = {name: value for name, value in op.attributes.items() if "." not in name}
    made = reader.replacement(type(op), operands, attributes)
    assert isinstance(made, PostOpsBase)
    return made


def _may_be_overwritten(value: SSAValue, op: PostOpsBase, reader: Operation) -> bool:
    """No op reads the value behind this reader, and it is no memory of the caller or of the model."""
    if not isinstance(value, OpResult) or constant_of(value) is not None or value in op.operands:
        return False
    users = [use.operation for use in value.uses if use.operation is not reader]
    return all(user.parent is reader.parent and user.is_before_in_block(reader) for user in users)
