"""The GRU in Paddle's form, on ragged sequences: with its input multiplied already (`gru`), or not (`fused_gru`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    result_def,
)

from lastuse.dialect.dnn.attributes import by_role, flag, word
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent import gru_cell
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, Direction, Formula, Inputs
from lastuse.dialect.dnn.recurrent.ragged import (
    carve,
    expect,
    expect_floats,
    expect_offsets,
    expect_rank,
    gather_rows,
    scratch_bytes,
)
from lastuse.dialect.ir.dtypes import numpy_dtype
from lastuse.dialect.ir.symbolic_shape import Dim, TensorInfo
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.primitives.gru import GruPrimitive
from lastuse.dialect.storage.contract import CPU_ONLY, Contract, Engine, engine_of


class GruBase(DnnOp):
    """One direction of one layer: what `gru` and `fused_gru` share."""

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    hidden = result_def(TensorType)

    origin_mode = opt_attr_def(BoolAttr)
    is_reverse = opt_attr_def(BoolAttr)
    activation = opt_attr_def(StringAttr)
    gate_activation = opt_attr_def(StringAttr)

    def storage(self) -> Contract:
        return Contract(scratch=self._scratch(), strided=True, engines=CPU_ONLY)

    def is_rowwise(self) -> bool:
        return True

    def offsets_operand(self) -> SSAValue:
        return self.operands[-1]

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        kernels_of(self)
        types = by_role(self, operands)
        first, weight_h, offsets = operands[0], types["weight_h"], types["offsets"]
        expect_rank(next(iter(types)), first, 2)
        expect_floats(next(iter(types)), first)
        expect_floats("weight_h", weight_h, first.dtype)
        expect_offsets(offsets)
        channels = self._channels(weight_h)
        triple = None if channels is None else 3 * channels
        self._expect_input(types, triple)
        if "bias" in types:
            expect_bias("bias", types["bias"], first.dtype, triple)
        if "h0" in types:
            expect_h0("h0", types["h0"], first.dtype, offsets, channels)
        self.formula()
        return (TensorInfo((first.shape[0], channels), first.dtype),)

    def _channels(self, weight_h: TensorInfo) -> Dim | None:
        """OC; raises ValueError where the recurrent weights have another shape than they must."""
        return expect_weight_h("weight_h", weight_h)

    @abstractmethod
    def _expect_input(self, types: dict[str, TensorInfo], triple: Dim | None) -> None:
        """Raises ValueError unless what makes the gates has `triple` columns."""

    @abstractmethod
    def _gates(self, args: dict[str, Array]) -> Array:
        """All gates at once, [words, 3*OC], as the reference reads them."""

    @abstractmethod
    def _inputs(self, args: dict[str, Array], buffers: dict[str, Array]) -> Inputs:
        """The gates of some rows, as the kernel asks for them."""

    def _more(self, columns: int) -> dict[str, int]:
        """Columns of further buffers of the kernel, by name; `columns` are the first operand's."""
        return {}

    def formula(self) -> Formula:
        """How a state is made of the one before; raises ValueError for an activation there is not."""
        chosen = formula_of(self.activation, self.gate_activation)
        return chosen._replace(origin_mode=flag(self.origin_mode))

    def _direction(self, args: dict[str, Array]) -> Direction:
        return Direction(args["weight_h"], args.get("h0"), flag(self.is_reverse), self.formula())

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        args = by_role(self, operands)
        with np.errstate(all="ignore"):
            gates = self._gates(args)
        return (gru_cell.reference(self._direction(args), gates, args["offsets"]),)

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences together, step by step; the same sums as the reference, in float rounding."""
        args, hidden = by_role(self, operands), results[0]
        words, channels = hidden.shape
        sequences = max(0, args["offsets"].size - 1)
        more = self._more(operands[0].shape[1])
        buffers = carve(scratch, gru_cell.walk_buffers(words, sequences, channels, hidden.dtype, **more))
        with np.errstate(all="ignore"), one_thread():
            gru_cell.walk(self._direction(args), self._inputs(args, buffers), args["offsets"], hidden, buffers)

    def _scratch(self) -> int:
        """Bytes for the sizes the types state; 0 as long as one of them is unknown."""
        (words, channels), columns = self.result_type().shape, self.operand_type().shape[1]
        (ends,) = self.operand_type(len(self.operands) - 1).shape
        if not (isinstance(words, int) and isinstance(channels, int)):
            return 0
        if not (isinstance(ends, int) and isinstance(columns, int)):
            return 0
        dtype = numpy_dtype(self.result_type().dtype)
        return scratch_bytes(gru_cell.walk_buffers(words, ends - 1, channels, dtype, **self._more(columns)))


def formula_of(activation: StringAttr | None, gate_activation: StringAttr | None) -> Formula:
    """The formula with these activations.

    Raises:
        ValueError: there is no such activation.
    """
    for field, name in (
        ("gate_activation", word(gate_activation, "sigmoid")),
        ("activation", word(activation, "tanh")),
    ):
        if name not in ACTIVATIONS:
            raise ValueError(f"{field} is '{name}', it must be one of {', '.join(ACTIVATIONS)}")
    return Formula(ACTIVATIONS[word(gate_activation, "sigmoid")], ACTIVATIONS[word(activation, "tanh")])


GRU = "dnn.gru"
"""On a GRU, whose kernels compute it where oneDNN's and native ones do: of one of the two alone."""
KERNELS = (Engine.ONEDNN, Engine.NATIVE)


def kernels_of(op: Operation) -> Engine | None:
    """Whose kernels compute a GRU that is compiled: all of it, or, if None, whose are faster on the machine for each
    run of steps.

    Raises:
        ValueError: `dnn.gru` names neither oneDNN nor the native ones.
    """
    chosen = op.attributes.get(GRU)
    names = [engine.value for engine in KERNELS]
    if chosen is not None and not (isinstance(chosen, StringAttr) and chosen.data in names):
        raise ValueError(f"{GRU} is {chosen}, it must be {' or '.join(names)}")
    if isinstance(chosen, StringAttr):
        return Engine(chosen.data)
    return Engine.NATIVE if engine_of(op) is Engine.NATIVE else None


def compiled_by(op: DnnOp) -> frozenset[Engine]:
    """The engines of a GRU that multiplies its input itself."""
    return frozenset({Engine.CPU, *(KERNELS if op.engine() is not Engine.CPU else ())})


def engine_for(op: DnnOp, activation: StringAttr | None, gate_activation: StringAttr | None) -> Engine:
    """Who runs a GRU that multiplies its input itself: oneDNN the standard one in f32, as soon as its weights are
    prepared (`--weight-reorder-pass`); the cpu engine any."""
    standard = word(activation, "tanh") == "tanh" and word(gate_activation, "sigmoid") == "sigmoid"
    floats = all(op.operand_type(k).dtype == "f32" for k in range(len(op.operands) - 1))
    if not standard or not floats:
        return Engine.CPU
    return kernels_of(op) or Engine.ONEDNN


def expect_weight_h(what: str, weight_h: TensorInfo) -> Dim | None:
    """OC; raises ValueError unless the weights are [OC, 3*OC] (Paddle's order) or [OC, 3, OC] (gates side by side)."""
    channels = weight_h.shape[0] if weight_h.shape else None
    if len(weight_h.shape) == 3:
        expect(f"the middle axis of {what}", weight_h.shape[1], 3)
        expect(f"the last axis of {what}", weight_h.shape[2], channels)
    elif len(weight_h.shape) == 2:
        expect(f"the last axis of {what}", weight_h.shape[1], None if channels is None else 3 * channels)
    else:
        raise ValueError(f"{what} has {len(weight_h.shape)} axes, it must have 2 or 3")
    return channels


def expect_bias(what: str, bias: TensorInfo, dtype: str, triple: Dim | None) -> None:
    """Raises ValueError unless the bias is [1, triple]."""
    expect_rank(what, bias, 2)
    expect_floats(what, bias, dtype)
    expect(f"the first axis of {what}", bias.shape[0], 1)
    expect(f"the last axis of {what}", bias.shape[1], triple)


def expect_h0(what: str, h0: TensorInfo, dtype: str, offsets: TensorInfo, channels: Dim | None) -> None:
    """Raises ValueError unless h0 is [sequences, channels]."""
    expect_rank(what, h0, 2)
    expect_floats(what, h0, dtype)
    expect(f"the last axis of {what}", h0.shape[1], channels)
    ends = offsets.shape[0]
    expect(f"the first axis of {what}", h0.shape[0], None if ends is None else ends - 1)


@irdl_op_definition
class GruOp(GruBase):
    """Gated recurrent unit over ragged sequences, its input already multiplied by the input weights (Paddle's `gru`).

    Operands: gates [words, 3*OC] with the columns u (update), r (reset), c (candidate); weight_h, typed [OC, 3*OC] but
    in Paddle's memory order: a row-major [OC, 2*OC] for u and r, then a row-major [OC, OC] for c; bias [1, 3*OC]
    (optional); h0 [sequences, OC], the state before the first step (optional, else 0); offsets i64 [sequences + 1].
    Result: the state after each word, [words, OC], in the order of the input. Element type f32 or f64 throughout.
    `operandSegmentSizes` says which of the five operands are there.

    With x = gates + bias and h the state before the word:

        u = gate_activation(x_u + h W_u)
        r = gate_activation(x_r + h W_r)
        c = activation(x_c + (r * h) W_c)           the reset comes before the product
        h' = (1 - u) * h + u * c                    origin_mode = false, the default
        h' = u * h + (1 - u) * c                    origin_mode = true

    `is_reverse` walks each sequence from its own last word to its first. `activation` (default tanh) and
    `gate_activation` (default sigmoid) are sigmoid, tanh, relu or identity.

    At run time, offsets that do not ascend from 0 to the number of words raise `OffsetsError`.
    """

    name = "dnn.gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} "
        ": (tensor<5x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>"
    )

    gates = operand_def(TensorType)
    weight_h = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    h0 = opt_operand_def(TensorType)
    offsets = operand_def(TensorType)

    def _channels(self, weight_h: TensorInfo) -> Dim | None:
        expect_rank("weight_h", weight_h, 2)
        return super()._channels(weight_h)

    def _expect_input(self, types: dict[str, TensorInfo], triple: Dim | None) -> None:
        expect("the last axis of gates", types["gates"].shape[1], triple)

    def _gates(self, args: dict[str, Array]) -> Array:
        return args["gates"] + args["bias"] if "bias" in args else args["gates"]

    def _inputs(self, args: dict[str, Array], buffers: dict[str, Array]) -> Inputs:
        return lambda rows, out: gather_rows(args["gates"], rows, out, args.get("bias"))


@irdl_op_definition
class FusedGruOp(GruBase):
    """A GRU over ragged sequences and the product of its input with the input weights (Paddle's `fusion_gru`).

    Operands: x [words, IC]; weight_x [IC, 3*OC], the columns of u, r, c; weight_h, either [OC, 3*OC] in the memory
    order of `gru`, or [OC, 3, OC], the gates side by side (`gru_weight_h_to_gates`): the number of axes says which;
    bias [1, 3*OC] (optional); h0 [sequences, OC] (optional); offsets i64 [sequences + 1]. Result: [words, OC]. Element
    type f32 or f64 throughout. `operandSegmentSizes` says which of the six operands are there.

    It is `gru` of gates = x @ weight_x, with the same attributes. oneDNN runs it in f32 with `origin_mode`, tanh,
    sigmoid, a bias and weight_h [OC, 3, OC].
    """

    name = "dnn.fused_gru"
    EXAMPLE: ClassVar = (
        "{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, "
        "tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>"
    )

    x = operand_def(TensorType)
    weight_x = operand_def(TensorType)
    weight_h = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    h0 = opt_operand_def(TensorType)
    offsets = operand_def(TensorType)

    def engine(self) -> Engine:
        return engine_for(self, self.activation, self.gate_activation)

    def storage(self) -> Contract:
        declared = super().storage()._replace(engines=compiled_by(self))
        if self.primitive() is None or engine_of(self) is Engine.CPU:
            return declared
        # oneDNN's is measured (`dnn.scratch_bytes`), that of the kernel too where it has to step in.
        return declared._replace(scratch=0)

    def primitive(self) -> Primitive | None:
        prepared = self.bias is not None and len(self.operand_type(2).shape) == 3 and flag(self.origin_mode)
        if self.engine() is Engine.CPU or not prepared:
            return None
        return GruPrimitive((flag(self.is_reverse),), kernels=kernels_of(self))

    def _expect_input(self, types: dict[str, TensorInfo], triple: Dim | None) -> None:
        expect_weight_x("weight_x", types["weight_x"], types["x"], triple)

    def _gates(self, args: dict[str, Array]) -> Array:
        gates = args["x"] @ args["weight_x"]
        return gates + args["bias"] if "bias" in args else gates

    def _more(self, columns: int) -> dict[str, int]:
        return {"input": columns}

    def _inputs(self, args: dict[str, Array], buffers: dict[str, Array]) -> Inputs:
        return multiplied(args["x"], args["weight_x"], args.get("bias"), buffers["input"])


def expect_weight_x(what: str, weight_x: TensorInfo, x: TensorInfo, triple: Dim | None) -> None:
    """Raises ValueError unless the weights multiply x [words, IC] to `triple` columns."""
    expect_rank(what, weight_x, 2)
    expect_floats(what, weight_x, x.dtype)
    expect(f"the first axis of {what}", weight_x.shape[0], x.shape[1])
    expect(f"the last axis of {what}", weight_x.shape[1], triple)


def multiplied(x: Array, weight_x: Array, bias: Array | None, gathered: Array) -> Inputs:
    """Inputs that are rows of x [words, IC], multiplied when they are asked for.

    Args:
        gathered: [at least as many rows as are asked for at once, IC], memory for the rows.
    """

    dense = np.ascontiguousarray(weight_x)  # a product with strided factors takes another way, and other roundings

    def inputs(rows: Array, out: Array) -> None:
        chosen = gathered[: len(rows)]
        gather_rows(x, rows, chosen)
        np.matmul(chosen, dense, out=out)
        if bias is not None:
            np.add(out, bias, out=out)

    return inputs
