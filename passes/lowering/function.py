"""One function, from values with decisions to steps on places."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, Region

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.onednn.memory import Operand
from lastuse.dialect.onednn.primitives.base import Emitter, StepBuilder
from lastuse.dialect.onednn.source import RESULT
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.layout import Strided
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.lowering.boundary_copies import lower_return
from lastuse.passes.lowering.calls import lower_call
from lastuse.passes.lowering.context import LoweringContext
from lastuse.passes.lowering.control import lower_control
from lastuse.passes.lowering.data_movement_ops import lower_data_movement
from lastuse.passes.lowering.instruction_selection import select

_PLAN = frozenset({attrs.ARENA_BYTES, attrs.UNIT})
SCALARS = frozenset({"arith", "tensor"})
"""Dialects with ops on scalars, or from tensors to scalars."""


class FunctionLowering(LoweringContext):
    """Lowers one function."""

    def lower(self) -> FuncOp:
        """The lowered function.

        Raises:
            LastuseError: an op has no lowered form, or the function takes arguments at any strides.
        """
        if attrs.STRIDED in self.func.attributes:
            raise LastuseError(f"steps take arguments row-major, and the function has {attrs.STRIDED}", self.func)
        first = self.emit
        for old, new in self.blocks.items():
            self.emit = first if new is self.entry else Emitter(new, first)
            for op in old.ops:
                self.op(op)
        outputs = self.func.function_type.outputs.data
        scalars = [outputs[number] for number, _ in self.frame.scalars]
        names = [DictionaryAttr({RESULT: StringAttr(name)}) for _, name in self.frame.scalars]
        lowered = FuncOp(
            self.func.sym_name.data,
            FunctionType.from_lists([argument.type for argument in self.entry.args], scalars),
            Region([*self.blocks.values(), *self.edges]),
            self.func.sym_visibility,
            arg_attrs=ArrayAttr([DictionaryAttr(a) for a in self._argument_attributes()]),
            res_attrs=ArrayAttr(names) if names else None,
        )
        lowered.attributes.update({k: v for k, v in self.func.attributes.items() if k not in _PLAN})
        return lowered

    def _argument_attributes(self) -> list[dict[str, Attribute]]:
        attributes: list[dict[str, Attribute]] = [{attrs.NAME: StringAttr(name)} for name in self.frame.inputs]
        for argument, entry in zip(self.func.body.blocks[0].args, attributes, strict=True):
            if attrs.is_donated(argument):
                entry[attrs.DONATED] = UnitAttr()
        attributes += [{} for result in self.frame.results if not result.tied]
        for result in self.frame.results:
            attributes[result.argument][RESULT] = StringAttr(result.name)
        return attributes

    def op(self, op: Operation) -> None:
        """Emits what `op` does.

        Raises:
            LastuseError: nothing runs such an op.
        """
        self.begin(op)
        match op:
            case DnnOp() if contract_of(op).constant:
                self.constant(op.results[0], op.attributes["value"])
            case DnnOp():
                self._dnn(op)
            case ReturnOp():
                lower_return(op, self)
            case CallOp():
                lower_call(op, self)
            case _ if lower_control(op, self):
                pass
            case _ if op.dialect_name() in SCALARS:
                # Loading these dialects takes longer than lowering a small model, and few have any of their ops.
                from lastuse.passes.lowering.scalars import lower_scalar

                lower_scalar(op, self)
            case _:
                raise LastuseError(f"nothing here can run {op_name(op)}", op)

    def _dnn(self, op: DnnOp) -> None:
        ins, outs = [self.operand(v) for v in op.operands], [self.operand(v) for v in op.results]

        def accumulated(operand: int, nbytes: int) -> None:
            """oneDNN adds to what lies in the result's place."""
            self.note_copy(op, op.operands[operand], op.results[0], nbytes, Reason.TAKEN)

        if not lower_data_movement(op, contract_of(op), ins, outs, self):
            select(op, StepBuilder(ins, outs, self._scratch(op), self.emit, accumulated))

    def _scratch(self, op: Operation) -> Operand | None:
        """The planned scratch; where nothing was planned the runtime has some."""
        offset, nbytes = op.attributes.get(attrs.SCRATCH_OFFSET), contract_of(op).scratch
        if not isinstance(offset, IntegerAttr) or not nbytes:
            return None
        return Operand(self.arena, Strided.dense((nbytes,), 1, offset.value.data), "i8")
