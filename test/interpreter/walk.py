"""Control flow: regions and blocks are walked as they come, callees by recursion; every value has an array of its
own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects import cf, func, scf, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue

from .byte_lstms import dynamic_lstm
from .combining_ops import COMBINING
from .counting_ops import COUNTING
from .elementwise_ops import ELEMENTWISE, Meaning
from .gradient_ops import GRADIENTS
from .indexing_ops import INDEXING
from .ir_values import constant
from .loss_ops import LOSSES
from .moving_ops import MOVING
from .normalising_gradient_ops import NORMALISING_GRADIENTS
from .normalising_ops import NORMALISING
from .post_op_chains import handed_on, mapped
from .quantized_ops import QUANTIZED
from .recurrent_gradients import RECURRENT_GRADIENTS
from .recurrent_ops import RECURRENT
from .reducing_ops import REDUCING
from .resizing_ops import RESIZING
from .rounding import Array, Rounding
from .sampling_ops import SAMPLING
from .scalar_ops import scalar_result
from .spatial_gradient_ops import SPATIAL_GRADIENTS
from .spatial_ops import SPATIAL
from .summing_ops import SUMMING
from .updating_ops import UPDATING

MEANINGS: dict[str, Meaning] = {
    **ELEMENTWISE,
    **COMBINING,
    **LOSSES,
    **GRADIENTS,
    **MOVING,
    **INDEXING,
    **COUNTING,
    **SUMMING,
    **REDUCING,
    **NORMALISING,
    **QUANTIZED,
    **RECURRENT,
    "dnn.dynamic_lstm": dynamic_lstm,
    **RECURRENT_GRADIENTS,
    **SPATIAL,
    **SPATIAL_GRADIENTS,
    **NORMALISING_GRADIENTS,
    **RESIZING,
    **SAMPLING,
    **UPDATING,
}
"""What each op of the dnn dialect computes, by its name."""
MEANINGS["dnn.map"] = mapped(MEANINGS)
MOST_OPS = 100_000
"""A program that runs more ops than these is taken not to end."""
Values = dict[SSAValue, Array]


class EndlessError(Exception):
    """A program ran more ops than `MOST_OPS`."""


class Interpreter:
    """One run of a module.

    Args:
        module: functions with bodies; `dnn` ops, control flow, scalars.
        rounding: how the results of ops that round come out.

    Attributes:
        executed: how many ops of each name ran.
    """

    def __init__(self, module: ModuleOp, rounding: Rounding) -> None:
        self.functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, func.FuncOp)}
        self.rounding, self.executed = rounding, 0

    def call(self, name: str, arguments: Sequence[Array]) -> list[Array]:
        """The results of a function for these arguments."""
        body = self.functions[name].body
        values: Values = {}
        block, handed = body.blocks[0], list(arguments)
        while True:
            self._bind(values, block.args, handed)
            last = self._ops(block, values)
            if isinstance(last, func.ReturnOp):
                return self._read(values, last.operands)
            block, handed = self._branched(last, values)

    def _bind(self, values: Values, names: Sequence[SSAValue], arrays: Sequence[Array]) -> None:
        for name, array in zip(names, arrays, strict=True):
            values[name] = _frozen(array)

    @staticmethod
    def _read(values: Values, names: Sequence[SSAValue]) -> list[Array]:
        return [values[name] for name in names]

    def _ops(self, block: Block, values: Values) -> Operation:
        """Run a block but for its terminator, which is returned."""
        ops: Iterator[Operation] = iter(block.ops)
        for op in ops:
            if op is block.last_op:
                return op
            self.executed += 1
            if self.executed > MOST_OPS:
                raise EndlessError
            self._bind(values, op.results, self._results(op, values))
        raise AssertionError("a block has a terminator")

    def _results(self, op: Operation, values: Values) -> Sequence[Array]:
        operands = self._read(values, op.operands)
        match op:
            case scf.IfOp():
                return self._if(op, values)
            case scf.ForOp():
                return self._for(op, values)
            case scf.WhileOp():
                return self._while(op, values)
            case func.CallOp():
                return self.call(op.callee.string_value(), operands)
            case tensor.ExtractOp():
                return (np.array(operands[0][tuple(int(i) for i in operands[1:])]),)
            case tensor.DimOp():
                return (np.array(operands[0].shape[int(operands[1])], np.int64),)
            case _ if op.dialect_name() == "arith":
                if isinstance(op.results[0].type, TensorType):
                    return (constant(op),)
                return (np.asarray(scalar_result(op, operands)),)
            case _:
                return self._computed(op, operands)

    def _computed(self, op: Operation, operands: list[Array]) -> Sequence[Array]:
        with np.errstate(all="ignore"):
            found = handed_on(op, operands, self.rounding, MEANINGS)
        # A result that is an operand, or a view of one, is copied: no two values share an array.
        return [np.array(array, order="C") for array in found]

    # Regions

    def _region(self, region: Region, arguments: Sequence[Array], values: Values) -> list[Array]:
        """What the one block of a region hands on."""
        block = region.blocks[0]
        self._bind(values, block.args, arguments)
        return self._read(values, self._ops(block, values).operands)

    def _if(self, op: scf.IfOp, values: Values) -> Sequence[Array]:
        region = op.true_region if values[op.cond] else op.false_region
        return self._region(region, [], values) if region.blocks else []

    def _for(self, op: scf.ForOp, values: Values) -> Sequence[Array]:
        lower, upper, step = (int(values[v]) for v in (op.lb, op.ub, op.step))
        carried = self._read(values, op.iter_args)
        for turn in range(lower, upper, step):
            carried = self._region(op.body, [np.array(turn, np.int64), *carried], values)
        return carried

    def _while(self, op: scf.WhileOp, values: Values) -> Sequence[Array]:
        carried = self._read(values, op.arguments)
        while True:
            more, *passed = self._region(op.before_region, carried, values)
            if not more:
                return passed
            carried = self._region(op.after_region, passed, values)

    # Blocks

    def _branched(self, last: Operation, values: Values) -> tuple[Block, list[Array]]:
        match last:
            case cf.BranchOp():
                return last.successor, self._read(values, last.arguments)
            case cf.ConditionalBranchOp():
                if values[last.cond]:
                    return last.then_block, self._read(values, last.then_arguments)
                return last.else_block, self._read(values, last.else_arguments)
            case cf.SwitchOp():
                cases = list(last.case_values.get_values()) if last.case_values is not None else []
                for number, block, given in zip(cases, last.case_blocks, last.case_operand, strict=True):
                    if int(values[last.flag]) == number:
                        return block, self._read(values, given)
                return last.default_block, self._read(values, last.default_operands)
            case _:
                raise AssertionError(f"{last.name} ends no block here")


def _frozen(array: Array) -> Array:
    """The array, which nothing may write from now on."""
    array = np.asarray(array).view()
    array.flags.writeable = False
    return array
