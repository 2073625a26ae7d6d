"""The GRU over ragged rows, of oneDNN's primitives and of our own kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IntegerAttr, StringAttr, f32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.buffers import ConstantBufferOp, PackedType
from lastuse.dialect.onednn.memory import MemRefLayout, Operand, locate
from lastuse.dialect.onednn.primitives.base import Primitive, StepBuilder, is_constant
from lastuse.dialect.onednn.step import DestinationStyleBase, OverlapRules
from lastuse.dialect.storage.attrs import flags, floats
from lastuse.dialect.storage.contract import Engine

CONCAT, SUM = "concat", "sum"


@irdl_op_definition
class OneDnnGruOp(DestinationStyleBase):
    """Layers of a GRU over ragged rows, f32: h' = u * h + (1 - u) * c, gates sigmoid, candidate tanh.

    ins: x [rows, IC]; for each layer and each of its directions weight_x [IC, 3*OC], weight_h [OC, 3, OC], of f32,
    bf16 or int8, bias [1, 3*OC] and, of int8, the scales of both weights, alike; perhaps h0 [sequences, OC] for each of
    these; offsets i64 [sequences + 1]. Weights are all packed, then bias and scales are constants too, or none of them
    is, and each run packs them. int8: `data_scale` and `data_shift` are those of what each layer reads and of its
    states, as in `dnn.quantized_gru`. outs: the states after each row. `reverse` are the directions of a layer; their
    results stand side by side in its columns (`mode = "concat"`) or are added up (`"sum"`), and are the next layer's x.
    `kernels`: of "onednn" or of "native" ones alone; without it each run of steps is computed by those that are faster
    on the machine. Those of bf16 and int8 are native always.
    All but weights, bias, scales and offsets may lie at any strides. The result may be where x is if there are several
    layers, or one direction.

    `onednn.gru ins(%x, %wx, %wh, %b, %offsets : …) outs(%h : …) {reverse = [true]}`
    """

    name = "onednn.gru"
    reverse = attr_def(ArrayAttr[BoolAttr])
    mode = opt_attr_def(StringAttr)
    layers = opt_attr_def(IntegerAttr)
    data_scale = opt_attr_def(DenseArrayBase)
    data_shift = opt_attr_def(DenseArrayBase)
    kernels = opt_attr_def(StringAttr)

    @property
    def directions(self) -> tuple[bool, ...]:
        """Of a layer: whether each one is the reverse one."""
        return flags(self.reverse)

    @property
    def is_sum(self) -> bool:
        """Whether directions are added up."""
        return self.mode is not None and self.mode.data == SUM

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return 1 if self.layers is None else self.layers.value.data

    def weights(self) -> list[list[tuple[int, ...]]]:
        """Numbers of ins, by layer and then by direction: weight_x, weight_h, bias and, of int8, the scales of both.

        Raises:
            VerifyException: there are not as many as the layers and directions take.
        """
        per_layer, depth = len(self.reverse.data), self.depth
        count, per_direction = per_layer * depth, 3 if self.data_scale is None else 5
        if per_layer < 1 or depth < 1:
            raise VerifyException("a GRU has at least one layer and one direction")
        if len(self.ins) not in (2 + per_direction * count, 2 + (per_direction + 1) * count):
            raise VerifyException(
                f"a GRU of {count} directions takes {2 + per_direction * count} ins, or with states to start with "
                f"{2 + (per_direction + 1) * count}, not {len(self.ins)}"
            )
        numbers = [tuple(range(1 + per_direction * k, 1 + per_direction * (k + 1))) for k in range(count)]
        return [numbers[k : k + per_layer] for k in range(0, count, per_layer)]

    def states(self) -> range:
        """Numbers of the ins that are h0, in the order of the weights; empty where there are none."""
        return range(self.weights()[-1][-1][-1] + 1, len(self.ins) - 1)

    @property
    def is_packed(self) -> bool:
        """Whether the weights are constants that are packed once; else each run packs them."""
        return isinstance(self.ins[1].type, PackedType)

    @property
    def kind(self) -> str:
        """The element type of the weights: f32, bf16 or i8."""
        return self.in_memories[1].dtype

    def data(self) -> list[tuple[float, float]]:
        """Of int8, scale and shift of what each layer reads and of its states; else nothing."""
        return list(zip(floats(self.data_scale), floats(self.data_shift), strict=True))

    def sizes(self) -> list[tuple[int, int]]:
        """Inputs and channels of each layer."""
        ins = self.in_memories
        return [(ins[w_x].shape[0], ins[w_h].shape[0]) for (w_x, w_h, *_), *_ in self.weights()]

    def rules(self) -> OverlapRules:
        over = len(self.reverse.data) == 1 or self.depth > 1
        return OverlapRules(over=frozenset({(0, 0)}) if over else frozenset())

    def verify_step(self) -> None:
        weights, states, ins = self.weights(), self.states(), self.in_memories
        if self.mode is not None and self.mode.data not in (CONCAT, SUM):
            raise VerifyException(f"mode is '{self.mode.data}', it must be {CONCAT} or {SUM}")
        if self.kernels is not None and self.kernels.data not in (e.value for e in (Engine.ONEDNN, Engine.NATIVE)):
            raise VerifyException(f"kernels are '{self.kernels.data}', they must be onednn or native")
        if len(self.outs) != 1:
            raise VerifyException("a GRU has one out")
        if self.kind not in ("f32", "bf16", "i8"):
            raise VerifyException(f"weights of a GRU are f32, bf16 or i8, not {self.kind}")
        numbers = [None if a is None else len(floats(a)) for a in (self.data_scale, self.data_shift)]
        if numbers != [2 * self.depth if self.kind == "i8" else None] * 2:
            raise VerifyException(
                "a GRU with weights of i8, and no other, has two of data_scale and data_shift for each layer"
            )
        x, offsets, out = ins[0], ins[-1], self.out_memories[0]
        if len(x.shape) != 2 or len(offsets.shape) != 1 or not offsets.shape[0] or offsets.dtype != "i64":
            raise VerifyException(f"a GRU reads rows and i64 offsets, not {x} and {offsets}")
        if not offsets.layout.is_dense:
            raise VerifyException(f"offsets are dense, not {offsets}")
        (rows, columns), sequences = x.shape, offsets.shape[0] - 1
        for layer, row in enumerate(weights):
            channels = {self._channels(numbers, columns) for numbers in row}
            if len(channels) != 1:
                raise VerifyException(f"the directions of layer {layer} have different sizes")
            (size,) = channels
            for number in states[layer * len(row) : (layer + 1) * len(row)]:
                _expect(ins[number], (sequences, size), "states to start with")
            columns = size if self.is_sum else size * len(row)
        _expect(x, x.shape, "rows")
        _expect(out, (rows, columns), "the result")

    def _channels(self, numbers: Sequence[int], columns: int) -> int:
        """OC of one direction over rows of so many columns; raises VerifyException where its weights do not fit."""
        values: list[SSAValue] = [self.ins[k] for k in numbers]
        weight_x, weight_h, *rows = (self.in_memories[k] for k in numbers)
        if [isinstance(value.type, PackedType) for value in values[:2]] != [self.is_packed] * 2:
            raise VerifyException("the weights of a GRU are all packed, or none of them is")
        for value in values[2:]:
            if self.is_packed and not isinstance(locate(value).root.owner, ConstantBufferOp):
                raise VerifyException("the bias of a GRU with packed weights, and their scales, are constants")
        if not all(
            self.in_memories[k].layout.is_dense for k in numbers if not isinstance(self.ins[k].type, PackedType)
        ):
            raise VerifyException("the weights of a GRU, their scales and its bias are dense")
        channels = weight_h.shape[0] if len(weight_h.shape) == 3 else 0
        _expect(weight_h, (channels, 3, channels), "weight_h", self.kind)
        _expect(weight_x, (columns, 3 * channels), "weight_x", self.kind)
        for row, what in zip(rows, ("bias", "the scale", "the scale"), strict=False):
            _expect(row, (1, 3 * channels), what)
        return channels


def _expect(memory: MemRefLayout, shape: tuple[int, ...], what: str, dtype: str = "f32") -> None:
    if memory.shape != shape or memory.dtype != dtype or 0 in shape[1:]:
        sizes = "x".join(map(str, shape))
        raise VerifyException(f"{what} of this GRU is memref<{sizes}x{dtype}>, not {memory}")


@dataclass(frozen=True)
class GruPrimitive(Primitive):
    """h' = u * h + (1 - u) * c over ragged rows, gates sigmoid, candidate tanh, f32 but for the weights.

    Operands: x; weight_x, weight_h [OC, 3, OC], bias and, of int8, the scales of both of each direction of each layer
    (`per_direction`: how many); h0 of each, or of none; offsets. `reverse`: the directions of a layer. Their results
    stand side by side, the last direction's first if `last_first`, or, if `sum`, are added up: the next layer's x.
    `data`: of int8, scale and shift of what each layer reads and of its states. `kernels`: of f32, whose kernels
    compute all of it; None where the machine decides for each run of steps.
    """

    reverse: tuple[bool, ...] = (False,)
    sum: bool = False
    layers: int = 1
    last_first: bool = False
    data: tuple[tuple[float, float], ...] = ()
    per_direction: int = 3
    kernels: Engine | None = None

    def accepts(self, operands: Sequence[Operand]) -> bool:
        return True  # offsets are no elements to oneDNN; `emit` looks at the operands

    def emit(self, steps: StepBuilder) -> bool:
        per_direction, count = self.per_direction, len(self.reverse) * self.layers * self.per_direction
        if not all(v.layout.is_dense for v in (*steps.ins[1 : 1 + count], steps.ins[-1])):
            return False
        if any(0 in v.shape for v in (*steps.ins, *steps.outs)):
            return False
        x, *others, offsets = steps.ins
        weights, states, directions = others[:count], others[count:], self.reverse
        if self.last_first:
            # The columns of directions are in their order.
            weights, states, directions = _last_first(weights, per_direction), _last_first(states, 1), directions[::-1]
        attributes: dict[str, Attribute] = {"reverse": ArrayAttr([BoolAttr.from_bool(flag) for flag in directions])}
        if len(self.reverse) > 1:
            attributes["mode"] = StringAttr(SUM if self.sum else CONCAT)
        if self.layers > 1:
            attributes["layers"] = IntegerAttr(self.layers, i64)
        if self.data:
            attributes["data_scale"] = DenseArrayBase.from_list(f32, [scale for scale, _ in self.data])
            attributes["data_shift"] = DenseArrayBase.from_list(f32, [shift for _, shift in self.data])
        if self.kernels is not None and steps.ins[1].dtype == "f32":
            attributes["kernels"] = StringAttr(self.kernels.value)
        # Constants are packed once, when the program is built; anything else in each run.
        once = all(is_constant(v) for v in steps.ins[1 : 1 + count])
        packed = {1 + k for k in range(count if once else 0) if k % per_direction < 2}
        steps.step(OneDnnGruOp, [x, *weights, *states, offsets], steps.outs, attributes, packed)
        return True


def _last_first(values: Sequence[Operand], per_direction: int) -> list[Operand]:
    """The values of both directions of every layer, `per_direction` of a direction, with the second direction first."""
    pairs = [
        (values[k : k + per_direction], values[k + per_direction : k + 2 * per_direction])
        for k in range(0, len(values), 2 * per_direction)
    ]
    return [value for first, second in pairs for value in (*second, *first)]
