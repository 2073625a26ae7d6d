"""`GruGradBase`: the gradient of a GRU over ragged sequences.

Nothing but the states is kept of the forward op. The backward op computes the gates again: all states before a row are
known, so large products make the gates of many rows at once. Only the gradients of the states go step by step.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_attr_def,
    opt_operand_def,
    var_result_def,
)

from lastuse.dialect.dnn.attributes import agreed, by_role, flag, word
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.dnn.blas import one_thread
from lastuse.dialect.dnn.recurrent.gru_cell import ACTIVATIONS, gates_of
from lastuse.dialect.dnn.recurrent.ragged import (
    Buffers,
    SequenceGroup,
    carve,
    expect_dtype,
    expect_offsets,
    expect_rank,
    expect_shape,
    gather_rows,
    group_size,
    groups,
    index_buffers,
    known_sizes,
    scratch_bytes,
    sequence_rows,
    sequences_of,
    times,
)
from lastuse.dialect.ir.tensor_types import Dim, TensorInfo, numpy_dtype
from lastuse.dialect.storage.contract import CPU_ONLY, Contract, Engine, InPlace, engine_of

BLOCK_ROWS = 64
"""At most this many rows are computed again at once: enough to fill a matrix product, few enough for the cache. As
`block_rows` in `runtime/cpp/ragged/gradient.cpp`."""

SLOPES: dict[str, Callable[[Array], Array]] = {
    "sigmoid": lambda y: y * (1 - y),
    "tanh": lambda y: 1 - y * y,
    "relu": lambda y: (y > 0).astype(y.dtype),
    "identity": lambda y: np.ones_like(y),
}
"""The derivative of each activation, from its result."""


class Block(NamedTuple):
    """Consecutive steps of a group of sequences.

    Attributes:
        group: the sequences.
        steps: (step, how many sequences have it, where its rows begin in the block), the first step first.
        size: the number of rows.
    """

    group: SequenceGroup
    steps: list[tuple[int, int, int]]
    size: int


def blocks_of(group: SequenceGroup, most: int) -> Iterator[Block]:
    """The steps of a group in blocks of at most `most` rows, the last steps first."""
    steps, size = list[tuple[int, int]](), 0
    for step, running in reversed(list(group.steps())):
        if size + running > most:
            yield _block(group, steps)
            steps, size = [], 0
        steps.append((step, running))
        size += running
    yield _block(group, steps)


def _block(group: SequenceGroup, backward: list[tuple[int, int]]) -> Block:
    steps, size = list[tuple[int, int, int]](), 0
    for step, running in reversed(backward):
        steps.append((step, running, size))
        size += running
    return Block(group, steps, size)


class GruGradBase(DnnOp):
    """A gradient of a GRU over ragged sequences, whose gates are given (`gru_grad`) or made of x (`fused_gru_grad`).

    The operands of a class stand before those that all classes have, and a class has a gradient of each of its own
    as its first results, and then those of weight_h, the bias and, where that is there, h0. The first result may be
    left out, where nothing reads it.
    """

    irdl_options = (AttrSizedOperandSegments(as_property=False),)

    weight_h = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    h0 = opt_operand_def(TensorType)
    offsets = operand_def(TensorType)
    hidden = operand_def(TensorType)
    hidden_gradient = operand_def(TensorType)
    gradients = var_result_def(TensorType)

    is_reverse = opt_attr_def(BoolAttr)
    origin_mode = opt_attr_def(BoolAttr)
    activation = opt_attr_def(StringAttr)
    gate_activation = opt_attr_def(StringAttr)

    @abstractmethod
    def own_shapes(self, types: Mapping[str, TensorInfo], triple: Dim | None) -> dict[str, tuple[Dim | None, ...]]:
        """The shape that each operand of the class has to have, the one with the rows first; `triple`: 3*OC."""

    @abstractmethod
    def own_columns(self, inputs: int) -> dict[str, int]:
        """Columns of the buffers of rows that the two methods below need; `inputs`: those of the first operand."""

    @abstractmethod
    def gather_gates(self, args: Mapping[str, Array], rows: Array, gates: Array, buffers: Mapping[str, Array]) -> None:
        """Fills gates [rows, 3*OC] with what the input gives the gates of these rows, the bias included."""

    @abstractmethod
    def put_gradients(
        self,
        args: Mapping[str, Array],
        rows: Array,
        gradient: Array,
        results: Mapping[str, Array],
        buffers: Mapping[str, Array],
    ) -> None:
        """Makes the gradients of the class's operands of those of the gates of these rows, [rows, 3*OC], after
        `gather_gates` of the same rows. Adds to those that are sums over rows, which are 0 at first."""

    @abstractmethod
    def all_gates(self, args: Mapping[str, Array]) -> Array:
        """What the input gives the gates of all rows, without the bias: [rows, 3*OC]."""

    @abstractmethod
    def own_gradients(self, args: Mapping[str, Array], gradient: Array) -> tuple[Array, ...]:
        """The gradients of the class's operands from those of the gates of all rows."""

    @abstractmethod
    def overwritten(self) -> Sequence[int]:
        """The operands that result 0 may be written over."""

    def storage(self) -> Contract:
        engines = CPU_ONLY if self.engine() is Engine.CPU else frozenset({Engine.CPU, Engine.NATIVE})
        over = tuple(InPlace(0, k) for k in self.overwritten()) if self._has_first() else ()
        return Contract(over, scratch=self._scratch(), strided=True, engines=engines)

    def engine(self) -> Engine:
        """The runtime's kernels for the standard formula in f32; the cpu engine for any."""
        standard = (self.gate_word(), self.activation_word()) == ("sigmoid", "tanh")
        known = not any(0 in self.operand_type(k).shape[-1:] for k in range(self._own_count() + 1))
        return Engine.NATIVE if standard and known and self.operand_type().dtype == "f32" else Engine.CPU

    def native_kernel(self) -> str:
        return self.name.removeprefix("dnn.")

    def native_numbers(self) -> Sequence[float]:
        modes = flag(self.is_reverse), flag(self.origin_mode)
        return [self.bias is not None, self.h0 is not None, *modes, self._has_first()]

    def may_take_scratch(self) -> bool:
        return engine_of(self) is not Engine.CPU and self.engine() is Engine.NATIVE

    def offsets_operand(self) -> SSAValue:
        return self.offsets

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        types = by_role(self, operands)
        (first, info), weight_h, offsets = next(iter(types.items())), types["weight_h"], types["offsets"]
        expect_rank(first, info, 2)
        expect_dtype(first, info, "f32", "f64")
        expect_rank("weight_h", weight_h, 2, 3)
        expect_offsets(offsets)
        channels = weight_h.shape[0]
        triple = times(3, channels)
        columns = (triple,) if len(weight_h.shape) == 2 else (3, channels)
        states = (sequences_of(offsets), channels)
        own = self.own_shapes(types, triple)
        shapes = {
            **own,
            "weight_h": (channels, *columns),
            "bias": (1, triple),
            "h0": states,
            "hidden": (info.shape[0], channels),
            "hidden_gradient": (info.shape[0], channels),
        }
        for name, type_ in types.items():
            if name != "offsets":
                expect_shape(name, type_, shapes[name], info.dtype)
        for field, name in (("gate_activation", self.gate_word()), ("activation", self.activation_word())):
            if name not in ACTIVATIONS:
                raise ValueError(f"{field} is '{name}', it must be one of {', '.join(ACTIVATIONS)}")
        sums = (weight_h, TensorInfo((1, triple), info.dtype))
        made = (*(types[name] for name in own), *sums, *([TensorInfo(states, info.dtype)] if "h0" in types else []))
        return made if self._has_first() else made[1:]

    def gate_word(self) -> str:
        """The activation of u and r."""
        return word(self.gate_activation, "sigmoid")

    def activation_word(self) -> str:
        """The activation of c."""
        return word(self.activation, "tanh")

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        args = by_role(self, operands)
        hidden, own = args["hidden"], args["hidden_gradient"]
        with np.errstate(all="ignore"):
            gates = self.all_gates(args)
            gates = gates + args["bias"] if "bias" in args else gates
        (w_ur, w_c), channels = gates_of(args["weight_h"]), hidden.shape[1]
        gradient, weights = np.zeros_like(gates), np.zeros_like(args["weight_h"])
        start_gradient = np.zeros((len(args["offsets"]) - 1, channels), gates.dtype)
        weights_ur, weights_c = gates_of(weights)
        gate, activation = ACTIVATIONS[self.gate_word()], ACTIVATIONS[self.activation_word()]
        with np.errstate(all="ignore"):
            for index, span in enumerate(sequence_rows(args["offsets"], len(gates))):
                rows = list(range(span.start, span.stop))
                rows = rows[::-1] if flag(self.is_reverse) else rows
                start = args["h0"][index] if "h0" in args else np.zeros(channels, gates.dtype)
                carried = np.zeros(channels, gates.dtype)
                for step in reversed(range(len(rows))):
                    row, h = rows[step], hidden[rows[step - 1]] if step else start
                    ur = gates[row, : 2 * channels] + h @ w_ur
                    gate(ur)
                    u, r = ur[:channels], ur[channels:]
                    c = gates[row, 2 * channels :] + (r * h) @ w_c
                    activation(c)
                    d = own[row] + carried
                    kept, share, change = (u, 1 - u, h - c) if flag(self.origin_mode) else (1 - u, u, c - h)
                    dc = d * share * SLOPES[self.activation_word()](c)
                    through = w_c @ dc
                    dur = np.concatenate([d * change, through * h]) * SLOPES[self.gate_word()](ur)
                    gradient[row] = np.concatenate([dur, dc])
                    weights_ur += np.outer(h, dur)
                    weights_c += np.outer(r * h, dc)
                    carried = d * kept + through * r + w_ur @ dur
                start_gradient[index] = carried
            sums = weights, gradient.sum(0, keepdims=True)
            made = (*self.own_gradients(args, gradient), *sums, *([start_gradient] if "h0" in args else []))
            return made if self._has_first() else made[1:]

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """All sequences together, the last step first; the same sums as the reference, in float rounding."""
        args, named = by_role(self, operands), self._named(results)
        hidden, offsets = args["hidden"], args["offsets"]
        (rows, channels), sequences = hidden.shape, max(0, offsets.size - 1)
        buffers = carve(scratch, self._buffers(rows, sequences, operands[0].shape[1], channels, hidden.dtype))
        for name in ("weight_x", "weight_h"):  # a product with strided factors has other roundings
            if name in args:
                args[name] = np.ascontiguousarray(args[name])
        buffers["weights"] = buffers["weights"].reshape(args["weight_h"].shape)
        buffers["weights"].fill(0)
        for name in ("weight_x_gradient", "bias_gradient", "h0_gradient"):
            if name in named:
                named[name][...] = 0
        group, most = group_size(sequences, rows, BLOCK_ROWS), _block_rows(rows)
        with np.errstate(all="ignore"), one_thread():
            for chunk in groups(offsets, rows, group, buffers, flag(self.is_reverse)):
                carried = buffers["carried"][: len(chunk.ids)]
                carried.fill(0)
                for block in blocks_of(chunk, most):
                    self._block(block, args, named, carried, buffers)
                if "h0_gradient" in named:
                    named["h0_gradient"][chunk.ids] = carried
        named["weight_h_gradient"][...] = buffers["weights"]

    def _named(self, results: Sequence[Array]) -> dict[str, Array]:
        """The results by name."""
        names = self._result_names()
        return dict(zip(names if self._has_first() else names[1:], results, strict=True))

    def _result_names(self) -> list[str]:
        """Names of the results with the first one."""
        own = [name for name, _ in self.get_irdl_definition().operands][: self._own_count()]
        read = [*own, "weight_h", "bias", *(["h0"] if self.h0 is not None else [])]
        return [f"{name}_gradient" for name in read]

    def _has_first(self) -> bool:
        return len(self.results) != len(self._result_names()) - 1

    def _block(
        self,
        block: Block,
        args: dict[str, Array],
        results: Mapping[str, Array],
        carried: Array,
        buffers: dict[str, Array],
    ) -> None:
        """The gradients of a block's rows; adds those of the weights, and takes `carried` along."""
        group, (w_ur, w_c), size = block.group, gates_of(args["weight_h"]), block.size
        channels = carried.shape[1]
        rows, before = buffers["block"][:size], buffers["before"][:size]
        gates, reset = buffers["gates"][:size], buffers["reset"][:size]
        for step, running, at in block.steps:
            rows[at : at + running] = group.rows(step, running)
            part = before[at : at + running]
            if step:
                gather_rows(args["hidden"], group.rows(step - 1, running), part)
            elif "h0" in args:
                gather_rows(args["h0"], group.ids[:running], part)
            else:
                part.fill(0)
        self.gather_gates(args, rows, gates, buffers)
        ur, c = gates[:, : 2 * channels], gates[:, 2 * channels :]
        ur += before @ w_ur
        ACTIVATIONS[self.gate_word()](ur)
        u, r = ur[:, :channels], ur[:, channels:]
        np.multiply(r, before, out=reset)
        c += reset @ w_c
        ACTIVATIONS[self.activation_word()](c)
        origin, slope, gate_slope = flag(self.origin_mode), SLOPES[self.activation_word()], SLOPES[self.gate_word()]
        for _, running, at in reversed(block.steps):
            part, d = slice(at, at + running), carried[:running]
            d += args["hidden_gradient"][rows[part]]
            h, u_, r_, c_ = before[part], u[part], r[part], c[part]
            kept, share, change = (u_, 1 - u_, h - c_) if origin else (1 - u_, u_, c_ - h)
            kept = d * kept
            dc = d * share * slope(c_)
            through = dc @ w_c.T
            dr = through * h * gate_slope(r_)
            kept += through * r_
            u_[...] = d * change * gate_slope(u_)
            r_[...] = dr
            c_[...] = dc
            np.add(kept, ur[part] @ w_ur.T, out=d)
        weights_ur, weights_c = gates_of(buffers["weights"])
        weights_ur += before.T @ ur
        weights_c += reset.T @ c
        results["bias_gradient"][...] += gates.sum(0)
        self.put_gradients(args, rows, gates, results, buffers)

    def _scratch(self) -> int:
        """Bytes of `kernel` for the sizes the types state; 0 as long as one of them is unknown. Those of the native
        kernel depend on the number of threads, and are measured."""
        if engine_of(self) is Engine.NATIVE:
            return 0
        types = [self.operand_type(k) for k in range(len(self.operands))]
        named = by_role(self, types)
        rows = agreed(types[0].shape[0], named["hidden"].shape[0], "rows")
        widths = [types[0].shape[1], named["weight_h"].shape[0]]
        sizes = known_sizes([rows, named["offsets"].shape[0], *widths])
        if not sizes:
            return 0
        rows, ends, inputs, channels = sizes
        return scratch_bytes(self._buffers(rows, ends - 1, inputs, channels, numpy_dtype(types[0].dtype)))

    def _own_count(self) -> int:
        """How many operands the class has of its own."""
        return [name for name, _ in self.get_irdl_definition().operands].index("weight_h")

    def _buffers(self, rows: int, sequences: int, inputs: int, channels: int, dtype: np.dtype) -> Buffers:
        """A block of rows, the gradients of a group's states, and those of the weights."""
        group, block = group_size(sequences, rows, BLOCK_ROWS), _block_rows(rows)
        return {
            **index_buffers(sequences, group),
            "block": ((block,), np.dtype(np.int64)),
            "before": ((block, channels), dtype),
            "gates": ((block, 3 * channels), dtype),
            "reset": ((block, channels), dtype),
            "carried": ((group, channels), dtype),
            "weights": ((channels, 3 * channels), dtype),
            **{name: ((block, width), dtype) for name, width in self.own_columns(inputs).items()},
        }


def _block_rows(rows: int) -> int:
    return max(1, min(rows, BLOCK_ROWS))
