"""`dnn.dynamic`: the form of an op that has attributes of it as operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OptionalDef, attr_def, irdl_op_definition, opt_attr_def, var_operand_def, var_result_def

from lastuse.dialect.dnn.attributes import INTEGERS
from lastuse.dialect.dnn.base import Array, DnnOp, TransposedForm, UnknownShapeError
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import TensorInfo, name_of_dtype, tensor_type
from lastuse.dialect.onednn.kernel_call import CALLEES
from lastuse.dialect.storage.contract import CPU_ONLY, Contract, Engine


@irdl_op_definition
class DynamicOp(DnnOp):
    """The op `dnn.<op>`, whose attributes `names` are the last operands: numbers that are known when it runs.

    `op`: the op, without its dialect. `names`: the attributes that the last operands stand for: a scalar, or a list for
    an operand of rank 1. `attrs`: the other attributes. The operands before them and the results are those of the op.
    `--refine-pass` replaces it by the op where these numbers are known while compiling. StableHLO has such forms of
    single ops (`dynamic_reshape`).
    """

    name = "dnn.dynamic"
    EXAMPLE: ClassVar = '{names = ["value"], op = "fill"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>'
    inputs = var_operand_def(TensorType)
    outputs = var_result_def(TensorType)
    kind = attr_def(StringAttr, attr_name="op")
    names = attr_def(ArrayAttr[StringAttr])
    attrs = opt_attr_def(DictionaryAttr)

    def value_names(self) -> tuple[str, ...]:
        """The attributes that the last operands stand for."""
        return tuple(name.data for name in self.names.data)

    def value_operands(self) -> Mapping[str, SSAValue]:
        """The operands that stand for attributes, by the names of these."""
        names = self.value_names()
        return dict(zip(names, self.operands[len(self.operands) - len(names) :], strict=True))

    def static(self, operands: Sequence[TensorInfo]) -> DnnOp | None:
        """The op with attributes, not yet in a block; None where one of them is not known.

        Args:
            operands: shapes, types and contents of all operands.

        Raises:
            ValueError: the numbers or the operands do not fit the op.
        """
        own, values = self._split(operands)
        known = static_attributes(self._static_class(), self._attributes(), own, values)
        if known is None:
            return None
        attributes = {**self._attributes(), **known}
        _check_names(self._static_class(), attributes)
        sources = self.operands[: len(own)]
        probe = self._static_class().create(
            operands=sources, result_types=[r.type for r in self.results], attributes=attributes
        )
        try:
            results = probe.infer(own)
        finally:
            probe.drop_all_references()
        return self.replacement(self._static_class(), sources, attributes, [tensor_type(r) for r in results])

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """That of the op, where what is not known has entries along `axes` alone."""
        cls, names = self._static_class(), self.value_names()
        if not cls.ALONG_AXES.issuperset(names):
            return None
        own = self.operands[: len(self.operands) - len(names)]
        probe = cls.create(operands=own, result_types=[r.type for r in self.results], attributes=self._attributes())
        try:
            form = probe.transposed_form(perm)
        finally:
            probe.drop_all_references()
        if form is None:
            return None
        return form._replace(attributes={**self.attributes, "attrs": DictionaryAttr(dict(form.attributes))})

    def storage(self) -> Contract:
        return Contract(engines=CPU_ONLY)

    def engine(self) -> Engine | None:
        """None: it is asked of the op that this one becomes, to which an engine written here would go."""
        return None

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        own, values = self._split(operands)
        try:
            return self._static_class().infer_dynamic(self._attributes(), own, values)
        except UnknownShapeError:
            return tuple(self.result_type(k) for k in range(len(self.results)))

    def infer_with_contents(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        static = self.static(operands)
        own, values = self._split(operands)
        if static is None:
            plain = [info._replace(content=None) for info in own]
            return self._static_class().infer_dynamic(self._attributes(), plain, values)
        try:
            return static.infer_with_contents(own)
        finally:
            static.drop_all_references()

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        infos = [TensorInfo(a.shape, name_of_dtype(a.dtype), tuple(a.reshape(-1).tolist())) for a in operands]
        try:
            static = self.static(infos)
        except ValueError as error:
            raise LastuseError(f"{self.kind.data}: {error}", self) from error
        assert static is not None
        try:
            return static.reference(*operands[: len(static.operands)])
        finally:
            static.drop_all_references()

    def _static_class(self) -> type[DnnOp]:
        cls = CALLEES.get(f"dnn.{self.kind.data}")
        if cls is None or not issubclass(cls, DnnOp) or cls is DynamicOp:
            raise ValueError(f"there is no op 'dnn.{self.kind.data}'")
        return cls

    def _attributes(self) -> dict[str, Attribute]:
        return {} if self.attrs is None else dict(self.attrs.data)

    def _split(self, operands: Sequence[TensorInfo]) -> tuple[Sequence[TensorInfo], Mapping[str, TensorInfo]]:
        names = self.value_names()
        own = len(operands) - len(names)
        if own < 0:
            raise ValueError(f"{len(names)} names for {len(operands)} operands")
        return operands[:own], dict(zip(names, operands[own:], strict=True))


def static_attributes(
    cls: type[DnnOp],
    attributes: Mapping[str, Attribute],
    operands: Sequence[TensorInfo],
    values: Mapping[str, TensorInfo],
) -> Mapping[str, Attribute] | None:
    """The attributes of an op of the class that the operands `values` stand for; None where one is not known.

    Raises:
        ValueError: an operand that stands for an attribute has a rank above 1.
    """
    arrays = {name: info.numbers for name, info in values.items()}
    known = {
        name: _stated(array.reshape(-1) if _is_list(cls, name) else array)
        for name, array in arrays.items()
        if array is not None
    }
    if len(known) == len(values):
        return known
    return cls.dynamic_attributes(attributes, [info._replace(content=None) for info in operands], values)


def _check_names(cls: type[DnnOp], attributes: Mapping[str, Attribute]) -> None:
    """Raises ValueError where an op of the class has no such attributes, or needs more."""
    declared = cls.get_irdl_definition().attributes
    for name in attributes:
        if name not in declared and name != "operandSegmentSizes":
            raise ValueError(f"{cls.name} has no attribute '{name}'")
    for name, kind in declared.items():
        if name not in attributes and not isinstance(kind, OptionalDef) and "." not in name:
            raise ValueError(f"{cls.name} needs the attribute '{name}'")


def _is_list(cls: type[DnnOp], name: str) -> bool:
    """Whether an attribute of the class is a list: one number stands for a list of one then."""
    declared = cls.get_irdl_definition().attributes.get(name)
    return declared is not None and declared.constr == INTEGERS


def _stated(numbers: Array) -> Attribute:
    """The attribute that stands for the numbers: a scalar for rank 0, a list for rank 1."""
    if numbers.ndim > 1:
        raise ValueError(f"an operand that stands for an attribute has rank 0 or 1, not {numbers.ndim}")
    whole = numbers.dtype.kind in "biu"
    if numbers.ndim == 0:
        type_ = IntegerType(64, Signedness.UNSIGNED) if numbers.dtype == np.uint64 else i64
        return IntegerAttr(int(numbers), type_) if whole else FloatAttr(float(numbers), f64)
    if whole:
        return DenseArrayBase.from_list(i64, [int(n) for n in numbers])
    return DenseArrayBase.from_list(f64, [float(n) for n in numbers])
