"""The ops that compute the gradients of a GRU over ragged sequences: layer by layer, direction by direction."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import SSAValue

from lastuse.dialect.dnn.differentiable import part_of
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.recurrent.base import DirectionWeights, RecurrentBase


class GruDifferentiation:
    """The gradients of a GRU.

    The states of a last layer are the result, or columns of it. Other states, and those whose sum is the result, are
    computed again: a layer holds less than the gates of its rows would.
    """

    def __init__(self, op: RecurrentBase, builder: GradientBuilder) -> None:
        self._op, self._builder = op, builder

    def gradients(self, gradient: SSAValue) -> list[SSAValue | None]:
        """Adds the ops.

        Args:
            gradient: of the result.

        Returns:
            The gradient of each operand.
        """
        op, gradients = self._op, dict[int, SSAValue]()
        layers = op.weights(range(len(op.operands)))
        inputs, states = [op.operands[0]], list[list[SSAValue]]()
        for number, layer in enumerate(layers):
            if number < len(layers) - 1:
                states.append(self._states(inputs[-1], layer))
                inputs.append(self._joined(states[-1]))
            elif op.is_sum() and len(layer) > 1:
                states.append(self._states(inputs[-1], layer))
            else:
                states.append(self._columns(op.results[0], len(layer)))
        for x, layer, hidden in reversed(list(zip(inputs, layers, states, strict=True))):
            parts = [gradient] * len(layer) if op.is_sum() else self._columns(gradient, len(layer))
            of_x: SSAValue | None = None
            for cell, reverse, *own in zip(layer, op.directions(), hidden, parts, strict=True):
                added = self._direction(x, cell, reverse, own, gradients)
                of_x = added if of_x is None or added is None else self._builder.emit("add", of_x, added)
            if of_x is None:
                break
            gradient = of_x
        else:
            gradients[0] = gradient
        return [gradients.get(k) for k in range(len(op.operands))]

    def _states(self, x: SSAValue, layer: Sequence[DirectionWeights[int]]) -> list[SSAValue]:
        """The states of each direction of a layer, computed again."""
        return [self._again(x, cell, reverse) for cell, reverse in zip(layer, self._op.directions(), strict=True)]

    def _again(self, x: SSAValue, cell: DirectionWeights[int], reverse: bool) -> SSAValue:
        (states,) = self._emit("fused_gru", (x, *self._values(cell), self._op.operands[-1]), reverse)
        return states

    def _direction(
        self,
        x: SSAValue,
        cell: DirectionWeights[int],
        reverse: bool,
        states: Sequence[SSAValue],
        gradients: dict[int, SSAValue],
    ) -> SSAValue | None:
        """Adds the gradients of one direction of a layer.

        Args:
            x: what the layer reads.
            cell: the numbers of the direction's operands.
            states: the direction's, and their gradient.
            gradients: those of the direction's operands are added, by number.

        Returns:
            The gradient of x; None where the op's operand x needs none.
        """
        weight_x, weight_h, bias, h0 = self._values(cell)
        cells, values = (cell.weight_h, cell.bias, cell.h0), (weight_h, bias, h0, self._op.operands[-1], *states)
        wanted = x is not self._op.operands[0] or self._builder.is_needed(x)
        many = wanted + 2 + (h0 is not None)
        if weight_x is None or cell.weight_x is None:
            made = [*self._emit("gru_grad", (x, *values), reverse, results=many)]
        else:
            made = [*self._emit("fused_gru_grad", (x, weight_x, *values), reverse, results=1 + many)]
            gradients[cell.weight_x] = made.pop(int(wanted))
        of_x = made.pop(0) if wanted else None
        for number, added in zip(cells, made, strict=False):
            if number is not None:
                gradients[number] = added
        return of_x

    def _values(self, cell: DirectionWeights[int]) -> tuple[SSAValue | None, ...]:
        """weight_x, weight_h, bias and h0 of a direction."""
        numbers = (cell.weight_x, cell.weight_h, cell.bias, cell.h0)
        return tuple(None if k is None else self._op.operands[k] for k in numbers)

    def _emit(
        self, kind: str, values: Sequence[SSAValue | None], reverse: bool, results: int = 1
    ) -> Sequence[SSAValue]:
        """Adds an op that may leave operands out, with the formula of the GRU."""
        attributes = self._op.attributes
        return self._builder.emit_all(
            kind,
            *(value for value in values if value is not None),
            results=results,
            operandSegmentSizes=DenseArrayBase.from_list(i32, [int(value is not None) for value in values]),
            is_reverse=True if reverse else None,
            origin_mode=attributes.get("origin_mode"),
            activation=attributes.get("activation"),
            gate_activation=attributes.get("gate_activation"),
        )

    def _columns(self, value: SSAValue, count: int) -> list[SSAValue]:
        """The columns of each of `count` directions that stand side by side."""
        if count == 1:
            return [value]
        width = self._builder.known_size(value, 1) // count
        starts = [k * width for k in range(count)]
        if self._op.is_reverse_first():
            starts = starts[::-1]
        return [part_of(value, 1, start, start + width, self._builder) for start in starts]

    def _joined(self, states: Sequence[SSAValue]) -> SSAValue:
        """What the next layer reads."""
        if len(states) == 1:
            return states[0]
        if self._op.is_sum():
            return self._builder.emit("add", *states)
        ordered = states[::-1] if self._op.is_reverse_first() else states
        return self._builder.emit("concat", *ordered, axis=1)
