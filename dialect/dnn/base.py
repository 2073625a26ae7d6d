"""`DnnOp`: what every op of the dnn dialect says of itself, in one class.

To add an op: subclass `DnnOp` in one file of `dialect/dnn/`, give it a name, operands, attributes, results, and the
methods `storage`, `infer`, `reference`; `kernel` and `primitive` where there is something faster than the reference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import ClassVar, NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import operand_def, result_def, traits_def
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.dnn.second_run import SecondRun
from lastuse.dialect.dnn.work import element_count
from lastuse.dialect.ir.diagnostics import LastuseError, inherit
from lastuse.dialect.ir.interfaces import InfersShapes
from lastuse.dialect.ir.tensor_types import (
    MAX_CONTENT,
    Content,
    Dim,
    TensorInfo,
    name_of_dtype,
    numpy_dtype,
    static_shape,
    symbol,
    typed,
)
from lastuse.dialect.onednn.kernel_call import HasKernel
from lastuse.dialect.onednn.primitives.base import Primitive
from lastuse.dialect.storage.contract import CPU_ONLY, ENGINE, NO_ENGINE, Contract, Engine, HasStorage, engine_of

Array = np.ndarray


class StorageEffect(MemoryEffect):
    """Pure on values; a write effect exactly when a decision lets the op write over an operand, or a step refers to the
    op. Stock cse and dce are then right about the op."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        decided = any(name in op.attributes for name in ("dnn.inplace", "dnn.reuse", "onednn.op"))
        return frozenset({EffectInstance(MemoryEffectKind.WRITE)} if decided else ())


class UnknownShapeError(ValueError):
    """The rank of a result depends on numbers that are not known while compiling."""


class TransposedForm(NamedTuple):
    """How an op is stated on operands whose axes have another order.

    Attributes:
        attributes: of the op so.
        operands: indices of the operands whose axes are in that order; the others are as they were.
        results_too: the axes of the results are in that order too; else they are as they were.
    """

    attributes: Mapping[str, Attribute]
    operands: frozenset[int]
    results_too: bool = True


class DnnOp(HasKernel, InfersShapes, HasStorage, ABC):
    """An op on tensors; pure, until a decision says otherwise."""

    traits = traits_def(StorageEffect())
    COMMUTES: ClassVar[bool] = False
    """Operands 0 and 1 may be exchanged without changing a bit of the result, but for which of two NaNs it is."""
    COMPUTES: ClassVar[bool] = True
    """The op has a meaning in numpy, so its element types are those that numpy has."""
    CHEAP: ClassVar[bool] = False
    """The op takes a few passes over its operands: where memory is short it may run again instead of being kept."""
    ALONG_AXES: ClassVar[frozenset[str]] = frozenset()
    """Attributes whose entries belong to those of `axes`: `transposed_form` keeps them, and needs not know them."""
    EXAMPLE: ClassVar[str]
    """One op of the class: its generic text after the operands. The docs show it, the tests run it (`example_of`)."""

    @abstractmethod
    def reference(self, *operands: Array) -> tuple[Array, ...]:
        """The op's meaning in numpy, out of place: arrays as the operands' types say to arrays as the results' say."""

    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None:
        for out, value in zip(results, self.reference(*operands), strict=True):
            np.copyto(out, value, casting="unsafe")

    def contents(self, operands: Sequence[TensorInfo]) -> Sequence[Content | None]:
        """The content of each result, None where it is not known.

        The op computes it by its `reference` where all operands hold numbers and the results are small. An op that
        selects or adds elements overrides this for polynomials over unknown sizes.

        Args:
            operands: shapes, types and contents of the operands, which fit the op.
        """
        unknown = (None,) * len(self.results)
        if not self.COMPUTES or any(info.content is None for info in operands):
            return unknown
        arrays = [info.numbers for info in operands]
        if any(array is None for array in arrays):
            return unknown
        shapes = [info.shape for info in self.infer([info._replace(content=None) for info in operands])]
        counts = [prod(d if isinstance(d, int) else MAX_CONTENT + 1 for d in shape) for shape in shapes]
        if any(count > MAX_CONTENT for count in counts):
            return unknown
        try:
            with np.errstate(all="ignore"):
                results = self.reference(*(array for array in arrays if array is not None))
        except (ValueError, ArithmeticError, LastuseError):
            return unknown  # it raises the same when the program runs
        return [tuple(result.reshape(-1).tolist()) for result in results]

    def infer_with_contents(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        results = super().infer_with_contents(operands)
        return tuple(
            info if content is None else info._replace(content=content)
            for info, content in zip(results, self.contents(operands), strict=True)
        )

    @classmethod
    def infer_dynamic(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> tuple[TensorInfo, ...]:
        """Types of the results of the form with operands (`dnn.dynamic`), where not all of these hold numbers.

        Args:
            attributes: those of the op that are attributes there too.
            operands: of the op itself.
            values: the other operands by the name of the attribute that each becomes.

        Raises:
            UnknownShapeError: the rank of a result depends on what is not known.
            ValueError: the operands do not fit the op.
        """
        missing = " and ".join(name for name, info in values.items() if info.numbers is None)
        raise UnknownShapeError(f"the shape of the result depends on {missing}, which is not known while compiling")

    @classmethod
    def dynamic_attributes(
        cls, attributes: Mapping[str, Attribute], operands: Sequence[TensorInfo], values: Mapping[str, TensorInfo]
    ) -> Mapping[str, Attribute] | None:
        """The attributes that say the same as the operands `values` of the form with operands, where not all of these
        hold numbers: sizes of operands may have another spelling in an attribute. None where there are none.

        Args:
            attributes, operands, values: as of `infer_dynamic`.
        """
        return None

    def transposed_form(self, perm: Sequence[int]) -> TransposedForm | None:
        """The op on operands whose axis i is axis `perm[i]` of what they are; None where the op is not computed as well
        so. An operand of fewer axes than `perm` is broadcast: it has sizes of 1 in front."""
        return None

    def prefers_channels_last(self) -> bool:
        """Whether the op is computed much faster on operands whose channels are last in memory, which they are not."""
        return False

    def channels_last_gain(self) -> int:
        """By how much less an op that prefers its channels last takes so, as `work` counts (oneDNN 3.2: convolutions,
        1.1 to 2.4 times as fast)."""
        return self.work() // 4

    def permutation(self) -> Sequence[int] | None:
        """The order of axes, where the op does nothing but give the axes of its operand another order: axis i of the
        result is axis `permutation()[i]` of the operand. Else None."""
        return None

    def engine(self) -> Engine | None:
        if self.primitive() is not None:
            return Engine.ONEDNN
        return Engine.CPU if self.storage().engines == CPU_ONLY else None

    def gradient(self, results: Sequence[SSAValue | None], builder: GradientBuilder) -> Sequence[SSAValue | None]:
        """Adds the ops that compute how a loss changes with each operand, from how it changes with each result (a
        vector-Jacobian product).

        What it reads of this op are the operands and results that `storage().backward` names, and no others: the memory
        of all others may be written over before the gradient is computed.

        Args:
            results: the gradient of each result, of that result's type; None is a gradient that is zero. At least one
                is not None.
            builder: adds the ops, behind this one and behind all that `results` need.

        Returns:
            The gradient of each operand, of that operand's type; None where it is zero. Elements that are no
            floating-point numbers (indices, offsets, conditions) have no gradient: None, too. Where operands are
            broadcast, the gradient is summed along the axes that are.

        Raises:
            LastuseError: the op has no gradient, or none for these types or attributes.
        """
        raise LastuseError(f"{self.name} has no gradient", self)

    def work(self) -> int:
        """About how long the op takes, in elements (`element_count`) that are read or written. A view takes nothing."""
        if self.storage().views:
            return 0
        return sum(element_count(value) for value in (*self.operands, *self.results))

    def second_run(self) -> SecondRun:
        """How the results are computed again where they were not kept: by the same op, unless one that reads other
        results of this op takes less work."""
        return SecondRun(type(self), self.operands, self.attributes, range(len(self.results)))

    def training_form(self) -> DnnOp | None:
        """The op, not yet in a block, with further results that its gradient reads, behind those of this op; None where
        it has them, or its gradient needs none. Only a function that is differentiated keeps such results."""
        return None

    def training_refusal(self) -> str | None:
        """Why the op has no `training_form`, where ops of its class have one for a faster gradient; else None."""
        return None

    def extended(self, *types: Attribute) -> DnnOp:
        """The op, not yet in a block, with further results of these types."""
        results = [*(result.type for result in self.results), *types]
        return type(self).create(operands=self.operands, result_types=results, attributes=self.attributes)

    def chosen_primitive(self) -> Primitive | None:
        engine = engine_of(self) or self.engine()
        is_called = engine is Engine.CPU or (engine is Engine.NATIVE and self.native_kernel() is not None)
        return None if is_called else self.primitive()

    def may_take_scratch(self) -> bool:
        """Whether a primitive may compute the op that takes scratch: how much depends on the machine and on layouts,
        and only a measurement tells."""
        primitive = self.chosen_primitive()
        return primitive is not None and primitive.TAKES_SCRATCH

    def is_rowwise(self) -> bool:
        """Whether row i of each result (index i of its first axis) depends on no other row of those operands that have
        as many rows; with offsets, on the rows of i's own sequence alone."""
        return False

    def opaque_values(self) -> Sequence[SSAValue]:
        """Operands and results whose elements mean nothing, but to the kernels that write and read them."""
        return ()

    def offsets_operand(self) -> SSAValue | None:
        """The operand that cuts the rows of the others into sequences, if there is one."""
        return None

    def required_finite(self) -> SSAValue | None:
        """The operand that ends a run unless its elements are finite, if there is one."""
        return None

    def fused_with_producer(self) -> DnnOp | None:
        """An op, not yet in a block, that computes this one's result from the operands of the op before it, whose only
        reader this is, and may be in place where the two may not; or None."""
        return None

    def is_nondecreasing(self) -> bool:
        """Whether the op has one operand and one result of its type, and element i of the result is a function of
        element i of the operand that never decreases; exactly so, after rounding, but not of NaN."""
        return False

    def selects_largest(self) -> bool:
        """Whether each element of the only result is the largest of one or more elements of operand 0."""
        return False

    def part_alone(self, axis: int, start: int, end: int, builder: GradientBuilder) -> SSAValue | None:
        """Adds ops that compute elements `start` to `end` of an axis of the only result as cheaply, element by element,
        as the op computes the whole; None where there are none."""
        return None

    SIMPLER_BECAUSE: ClassVar = "its other operands are constants"

    def simplified(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        """An op, not yet in a block, that computes the same with less, as `SIMPLER_BECAUSE` says; or None.

        Args:
            constant: the elements of an operand, None where they are not known.
        """
        return None

    def view_form(self, constant: Callable[[SSAValue], Array | None]) -> DnnOp | None:
        """As `simplified`, a view of a dense part of an operand; what it reads may be made by ops in no block, too."""
        return None

    def replacement(
        self,
        cls: type[DnnOp],
        operands: Sequence[SSAValue],
        attributes: Mapping[str, Attribute],
        types: Sequence[Attribute] | None = None,
    ) -> DnnOp:
        """An op of another class with this one's names, place and result types, not yet in a block."""
        dotted = {name: value for name, value in self.attributes.items() if "." in name}
        result_types = [result.type for result in self.results] if types is None else types
        op = cls.create(operands=operands, result_types=result_types, attributes={**attributes, **dotted})
        inherit(op, self)
        for result, old in zip(op.results, self.results, strict=True):
            result.name_hint = old.name_hint
        return op

    def result_type(self, index: int = 0) -> TensorInfo:
        """`TensorInfo` of a result as the IR states it; unknown sizes are None."""
        return typed(self.results[index].type)

    def operand_type(self, index: int = 0) -> TensorInfo:
        """`TensorInfo` of an operand as the IR states it; unknown sizes are None."""
        return typed(self.operands[index].type)

    def result_shape(self, operands: Sequence[Array], index: int = 0) -> tuple[int, ...]:
        """The shape of a result for operands of these shapes.

        Raises:
            ValueError: the result has a size that neither its type nor the operands tell.
        """
        inferred = self.infer([TensorInfo(a.shape, name_of_dtype(a.dtype)) for a in operands])[index].shape
        stated = self.result_type(index).shape
        shape = [s if s is not None else d for s, d in zip(stated, inferred, strict=True)]
        if not all(isinstance(d, int) for d in shape):
            raise ValueError(f"result {index} of {self.name} has a size that is not known at run time")
        return tuple(d for d in shape if isinstance(d, int))

    def verify_(self) -> None:
        declared = self.get_irdl_definition().attributes
        for name in self.attributes:
            if "." not in name and name not in declared and name != "operandSegmentSizes":
                raise VerifyException(f"{self.name} has no attribute '{name}'")
        try:
            engine = engine_of(self)
        except LastuseError:
            raise VerifyException(f"{ENGINE} {NO_ENGINE}") from None
        values = (*self.operands, *self.results)
        if any(not isinstance(v.type, TensorType) for v in values):
            raise VerifyException(f"operands and results of {self.name} must be ranked tensors")
        try:
            if self.COMPUTES:
                for value in values:
                    numpy_dtype(typed(value.type).dtype)
            results = self.infer([typed(v.type, _verify_symbols(v)) for v in self.operands])
        except ValueError as error:
            raise VerifyException(f"{self.name}: {error}") from None
        if len(results) != len(self.results):
            raise VerifyException(f"{self.name} has {len(results)} results, {len(self.results)} are given")
        for index, (want, result) in enumerate(zip(results, self.results, strict=True)):
            self._verify_result(index, want, result)
        if engine is not None and engine not in self.storage().engines:
            raise VerifyException(f"{self.name} does not run on engine {engine.value}")

    def _verify_result(self, index: int, want: TensorInfo, result: SSAValue) -> None:
        have = typed(result.type)
        fits = len(want.shape) == len(have.shape) and all(
            a == b or not isinstance(a, int) or b is None for a, b in zip(want.shape, have.shape, strict=True)
        )
        if not fits or want.dtype != have.dtype:
            sizes = "x".join(str(d) if isinstance(d, int) else "?" for d in want.shape)
            shown = f"tensor<{sizes + 'x' if sizes else ''}{want.dtype}>"
            raise VerifyException(f"result {index} of {self.name} is {result.type}, but its operands make it {shown}")


def _verify_symbols(value: SSAValue) -> list[Dim | None]:
    """For the verifier alone every unknown size is a symbol of its own: it sees one op, not where sizes come from."""
    return [symbol(f"?{axis}", id(value)) if d is None else d for axis, d in enumerate(static_shape(value.type))]


class OneOperandBase(DnnOp):
    """An op with one operand x and one result y, of x's type where the op does not say otherwise."""

    EXAMPLE: ClassVar = ": (tensor<2x3xf32>) -> tensor<2x3xf32>"

    x = operand_def(TensorType)
    y = result_def(TensorType)

    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        return (operands[0],)


class CpuOnlyBase(DnnOp):
    """An op that the cpu engine alone runs, at any strides, into fresh memory."""

    def storage(self) -> Contract:
        return Contract(strided=True, engines=CPU_ONLY)


class KernelOnlyBase(DnnOp):
    """An op that states its kernel alone: its meaning is what the kernel writes into new arrays."""

    @abstractmethod
    def kernel(self, operands: Sequence[Array], results: Sequence[Array], scratch: Array) -> None: ...

    def reference(self, *operands: Array) -> tuple[Array, ...]:
        shapes = [self.result_shape(operands, k) for k in range(len(self.results))]
        results = tuple(np.empty(s, numpy_dtype(self.result_type(k).dtype)) for k, s in enumerate(shapes))
        self.kernel(operands, results, np.empty(0, np.uint8))
        return results
