"""Kernels of ops as steps: what an op has to have for one, and the call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, MemRefType, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import IRDLOperation, attr_def, irdl_op_definition, opt_attr_def
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.onednn.step import DestinationStyleBase, OverlapRules
from lastuse.dialect.storage.contract import ENGINE, Engine, contract_of, engine_of

Array = np.ndarray[Any, np.dtype[Any]]


class HasKernel(IRDLOperation, ABC):
    """An op on tensors that `onednn.call` can call, and that a primitive may compute."""

    @abstractmethod
    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        """Run on the cpu engine: write `results`, which may lie where the contract lets them lie.

        Args:
            operands, results: arrays of the op's shapes and dtypes, at any strides where the contract says `strided`.
            scratch: uint8 [contract scratch], contents undefined.
        """

    def native_kernel(self) -> str | None:
        """The function of the core (`runtime/cpp`) that runs the op on the native engine, None where there is none. It
        takes the op's operands, results, scratch and `native_numbers`, and keeps the contract's promises as `kernel`
        does.
        """
        return None

    def native_numbers(self) -> Sequence[float]:
        """What that function has to know besides: attributes, and which operands are there."""
        return ()

    def primitive(self) -> Primitive | None:
        """The oneDNN primitive that computes this op on its present types, or None."""
        return None

    @abstractmethod
    def chosen_primitive(self) -> Primitive | None:
        """The primitive that computes this op on the engine that it has; None where that is a kernel of ours."""

    @abstractmethod
    def engine(self) -> Engine | None:
        """The engine that runs the op where `dnn.engine` asks for none; None where no engine has to, or any does:
        bytes are named or moved, a constant stands for itself."""


CALLEES: dict[str, type[HasKernel]] = {}
"""Ops that can be called, by name: those of the dialects that are loaded."""


@irdl_op_definition
class KernelCallOp(DestinationStyleBase):
    """The kernel of an op: `callee` is the op's name, `attrs` its attributes, ins and outs its operands and results.
    It is the op's own, in numpy, or the `native` one that the runtime has for it. Where a result may lie is what that
    op declares.

    `onednn.call "dnn.gather" ins(%w, %ids : …) outs(%y : …) {attrs = {axis = 0 : i64}}`
    """

    name = "onednn.call"
    callee = attr_def(StringAttr)
    attrs = opt_attr_def(DictionaryAttr)
    native = opt_attr_def(UnitAttr)
    assembly_format: ClassVar = "$callee " + DestinationStyleBase.assembly_format

    def engine(self) -> Engine:
        """The engine that runs the call."""
        return Engine.CPU if self.native is None else Engine.NATIVE

    @staticmethod
    def attributes_of(op: HasKernel) -> dict[str, Attribute]:
        """What a call of the kernel of `op` says; decisions and names (attributes with a dot) stay behind."""
        kept = {k: v for k, v in {**op.properties, **op.attributes}.items() if "." not in k}
        attributes: dict[str, Attribute] = {"callee": StringAttr(op.name)}
        if kept:
            attributes["attrs"] = DictionaryAttr(kept)
        if (engine_of(op) or op.engine()) is not Engine.CPU and op.native_kernel() is not None:
            attributes["native"] = UnitAttr()
        return attributes

    def op(self) -> HasKernel:
        """The op that is called, detached, on operands of the sizes of ins and outs.

        Raises:
            VerifyException: there is no such op, or it does not take these operands and attributes.
        """
        op_class = CALLEES.get(self.callee.data)
        if op_class is None:
            raise VerifyException(f"there is no op '{self.callee.data}' to call")
        attributes = {} if self.attrs is None else dict(self.attrs.data)
        properties = {k: attributes.pop(k) for k in op_class.get_irdl_definition().properties if k in attributes}
        op = op_class.create(
            operands=Block(arg_types=[_tensor(v) for v in self.ins]).args,
            result_types=[_tensor(v) for v in self.outs],
            attributes={**attributes, ENGINE: StringAttr(self.engine().value)},
            properties=properties,
        )
        op.verify()
        assert isinstance(op, HasKernel)
        return op

    def rules(self) -> OverlapRules:
        contract = contract_of(self.op())
        over = frozenset((o.result, o.operand) for o in contract.over)
        repeats = frozenset((o.result, o.operand) for o in contract.over if o.allow_same_operand)
        parts = tuple((0, c.operand, c.into) for c in contract.contributions if c.may_be_produced_in_place)
        return OverlapRules(over, repeats, contract.metadata_only, parts)

    def verify_step(self) -> None:
        """`rules` has made the op and verified it."""


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    if not isinstance(value.type, MemRefType):
        raise VerifyException(f"a kernel takes memrefs, not {value.type}")
    return TensorType(value.type.element_type, value.type.get_shape())
