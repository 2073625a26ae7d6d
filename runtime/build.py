"""From an onednn-level function to a `_core.Program`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect import decisions, resources
from lastuse.dialect.base import DnnOp
from lastuse.dialect.diagnostics import LastuseError, location_of
from lastuse.dialect.dtypes import dtype_name, numpy_dtype
from lastuse.dialect.onednn import (
    RESULT,
    ArenaOp,
    CallOp,
    ConstantOp,
    CopyOp,
    MatMulOp,
    PackOp,
    PrimitiveStep,
    Step,
    ViewOp,
    locate,
    memory_of,
)
from lastuse.dialect.storage import contract_of

from . import _core
from .describe import primitive_of
from .weights import PackedWeights, Packing

_Kernel = Callable[[list[np.ndarray], list[np.ndarray], np.ndarray], None]


class Argument(NamedTuple):
    """An argument of the function: an input, a result, or both (a result that must end in an input's memory)."""

    input: str | None
    result: str | None
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class Built(NamedTuple):
    """A program, its arguments in order, and bytes of its constants (packed ones apart, shared with other programs)."""

    core: _core.Program
    arguments: tuple[Argument, ...]
    constant_bytes: int
    packed_bytes: int


def build(module: ModuleOp, function: str, threads: int, weights: PackedWeights) -> Built:
    """Prepares every step of `function` and packs its constant weights.

    Raises:
        LastuseError: there is no such function, an op is no storage-level op, a constant has no array, or oneDNN has no
            such primitive; with the op's place.
    """
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == function:
            return _Builder(module, op, threads, weights).build()
    raise LastuseError(f"the module has no function @{function}", module)


class _Builder:
    def __init__(self, module: ModuleOp, func: FuncOp, threads: int, weights: PackedWeights) -> None:
        self.module, self.func, self.weights = module, func, weights
        arena = next((op.nbytes for op in func.body.walk() if isinstance(op, ArenaOp)), 0)
        self.core = _core.Program(arena, threads)
        self.buffers: dict[SSAValue, int] = {}
        self.views: dict[SSAValue, int] = {}
        self.arrays: dict[SSAValue, np.ndarray] = {}
        self.packings: dict[str, Packing] = {}

    def build(self) -> Built:
        if len(self.func.body.blocks) != 1:
            raise LastuseError("a function to run has one block", self.func)
        arguments = tuple(self._argument(a) for a in self.func.body.block.args)
        for op in self.func.body.block.ops:
            try:
                self._op(op)
            except (_core.Error, VerifyException) as error:
                raise LastuseError(f"{_step_name(op)}: {error}", op) from error
        constants = sum(a.nbytes for a in self.arrays.values())
        return Built(self.core, arguments, constants, sum(p.nbytes for p in self.packings.values()))

    def _argument(self, argument: BlockArgument) -> Argument:
        attributes = decisions.argument_attributes(argument)
        given, result = attributes.get(decisions.NAME), attributes.get(RESULT)
        memory = memory_of(argument.type)
        if not memory.layout.is_dense:
            raise LastuseError(f"argument {argument.index} is not dense", self.func)
        name = given.data if isinstance(given, StringAttr) else None
        result_name = result.data if isinstance(result, StringAttr) else None
        if name is None and result_name is None:
            raise LastuseError(f"argument {argument.index} has neither {decisions.NAME} nor {RESULT}", self.func)
        dtype = numpy_dtype(memory.dtype)
        writable = result_name is not None or isinstance(attributes.get(decisions.DONATED), UnitAttr)
        shown = name if name is not None else str(result_name)
        self.buffers[argument] = self.core.add_argument(shown, dtype, memory.shape, writable)
        return Argument(name, result_name, memory.shape, dtype)

    def _op(self, op: Operation) -> None:
        match op:
            case ArenaOp():
                self.buffers[op.memory] = _core.Program.ARENA
            case ConstantOp():
                self.arrays[op.memory] = array = constant_array(op, self.module)
                self.buffers[op.memory] = self.core.add_constant(array)
            case ViewOp() | PackOp() | ReturnOp():
                pass  # views and packings are made by the steps that use them
            case Step():
                self._step(op)
            case _:
                raise LastuseError(f"{op.name} is not an op that runs; lower the program to onednn first", op)

    def _step(self, step: Step) -> None:
        if all(0 in memory.shape for memory in step.out_memories):
            return  # no bytes to write
        name = _step_name(step)
        outs = [self._view(value) for value in step.outs]
        match step:
            case CopyOp():
                self.core.add_copy(name, self._view(step.ins[0]), outs[0])
            case CallOp():
                op = step.op()
                needed = contract_of(op).scratch
                ins = [self._view(value) for value in step.ins]
                self.core.add_call(name, _kernel(op, name), ins, outs, self._scratch(step, needed), needed)
            case PrimitiveStep():
                primitive, ins = self._primitive(step)
                self.core.add_primitive(name, primitive, ins, outs, self._scratch(step, primitive.scratch_bytes))
            case _:
                raise LastuseError(f"{step.name} is not an op that runs", step)

    def _primitive(self, step: PrimitiveStep) -> tuple[_core.Primitive, list[int]]:
        if isinstance(step, MatMulOp):
            count = 2 + step.has_bias  # what beta adds is dst, which the primitive knows already
            source = _packed_source(step.ins[1])
            if source is None:
                return primitive_of(step, self.core.threads), [self._view(v) for v in step.ins[:count]]
            memory = memory_of(source.type)
            array = self._constant(source)
            primitive, packing = self.weights.for_matmul(array, memory, step, self.core.threads)
            weights = self._packed(source, packing)
            bias = [self._view(v) for v in step.ins[2:count]]
            return primitive, [self._view(step.ins[0]), weights, *bias]
        return primitive_of(step, self.core.threads), [self._view(v) for v in step.ins]

    def _constant(self, value: SSAValue) -> np.ndarray:
        """The elements of a view of a constant, without a copy."""
        located, memory = locate(value), memory_of(value.type)
        flat = self.arrays[located.root].reshape(-1).view(np.uint8)
        return np.ndarray(
            memory.shape, numpy_dtype(memory.dtype), flat.data, located.layout.offset, located.layout.strides
        )

    def _packed(self, source: SSAValue, packing: Packing) -> int:
        if packing.memory is None:
            return self._view(source)
        self.packings[str(id(packing.memory))] = packing
        return self.core.add_packed(packing.memory, packing.layout)

    def _scratch(self, step: Step, needed: int) -> int:
        """The planned scratch, if it is enough. Another thread count, or strides that were not known when it was
        planned, may ask for more; then the context's own is used."""
        if step.scratch is None or memory_of(step.scratch.type).layout.nbytes < needed:
            return -1
        return self._view(step.scratch)

    def _view(self, value: SSAValue) -> int:
        if value not in self.views:
            located, dtype = locate(value), numpy_dtype(memory_of(value.type).dtype)
            strides = [s // located.layout.item for s in located.layout.strides]
            buffer = self.buffers[located.root]
            self.views[value] = self.core.add_view(buffer, located.layout.offset, dtype, located.layout.sizes, strides)
        return self.views[value]


def constant_array(op: ConstantOp, module: ModuleOp) -> np.ndarray:
    """The constant's elements, read-only, C-contiguous, of the sizes and element type it states.

    Raises:
        LastuseError: the module has no array for it.
    """
    value = op.value
    if isinstance(value, DenseResourceAttr):
        array = resources.array_of(value, module, op)
    else:
        assert isinstance(value, DenseIntOrFPElementsAttr) and isinstance(value.type, TensorType)
        shape, dtype = value.type.get_shape(), numpy_dtype(dtype_name(value.type.element_type))
        raw = value.data.data
        # xDSL keeps i1 as bytes 0 and 255.
        array = np.frombuffer(raw, np.uint8) != 0 if dtype == np.bool_ else np.frombuffer(raw, dtype)
        array = array.reshape(shape) if array.size != 1 else np.broadcast_to(array.reshape(()), shape)
    return np.require(array, requirements=["C", "A"])


def _packed_source(value: SSAValue) -> SSAValue | None:
    """The plain weights that `value` packs; None where it is plain itself."""
    return value.op.source if isinstance(value, OpResult) and isinstance(value.op, PackOp) else None


def _step_name(op: Operation) -> str:
    """How errors call a step: its op, what it calls, and where that was in the source."""
    name = f"{op.name} {op.callee.data}" if isinstance(op, CallOp) else op.name
    where = location_of(op)
    return name if where is None else f"{where}: {name}"


def _kernel(op: DnnOp, name: str) -> _Kernel:
    def run(ins: list[np.ndarray], outs: list[np.ndarray], scratch: np.ndarray) -> None:
        try:
            # Infinities and NaNs are values here, as they are to oneDNN.
            with np.errstate(all="ignore"):
                op.kernel(ins, outs, scratch)
        except Exception as error:
            if sys.version_info >= (3, 11):
                error.add_note(f"while running {name}")
            raise

    return run
