"""From an onednn-level function to a `_core.StepProgram`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import (
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError, Location, location_of
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, topological_order
from lastuse.dialect.ir.tensor_types import dtype_name, numpy_dtype
from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp, PackOp, ViewOp
from lastuse.dialect.onednn.kernel_call import HasKernel, KernelCallOp
from lastuse.dialect.onednn.memory import MemRefLayout, Operand, locate, memory_of
from lastuse.dialect.onednn.primitives.convolution import WeightedBase
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.primitives.gru import OneDnnGruOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.primitives.recurrent import OneDnnRecurrentOp
from lastuse.dialect.onednn.source import RESULT
from lastuse.dialect.onednn.step import DestinationStyleBase, PrimitiveBase
from lastuse.dialect.storage import attrs
from lastuse.runtime import _core
from lastuse.runtime.constant_arrays import constant_array, packed_source, plain_weights, view_of_constant
from lastuse.runtime.control import ControlFlow, Function, step_name
from lastuse.runtime.engines import engines_of_step, own_width
from lastuse.runtime.primitive_preparation import gru_scratch, native_scratch, primitive_of
from lastuse.runtime.recurrent_layers import RecurrentArrays, formula_of_step, recurrent_scratch, shape_of_step
from lastuse.runtime.weights import PackedWeights, Packing

Kernel = Callable[[list[np.ndarray], list[np.ndarray], np.ndarray], None]
"""Operands, results, scratch."""

SCALARS = ("i1", "i8", "i16", "i32", "i64", "index", "f32", "f64")
"""Types that may steer control self."""


class Argument(NamedTuple):
    """An array of the caller: an input, memory for a result, or both (a result that must end in an input's memory)."""

    input: str | None
    result: str | None
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_scalar: bool = False


Computed = tuple[str, str | None]
"""The engine and the kernel of a step; None where the kernel is what oneDNN has chosen for the step's primitive."""


class Built(NamedTuple):
    """A program.

    Attributes:
        arguments: in order.
        constant_bytes: bytes of its constants; packed ones apart, shared with other programs.
        places: where its steps were in the source, by what errors call them.
        computed: of each step but copies.
        primitives: in the order of the steps that have one. As long as the program lives, others have the same ones.
    """

    core: _core.StepProgram
    arguments: tuple[Argument, ...]
    constant_bytes: int
    packed_bytes: int
    places: Mapping[str, Location]
    computed: tuple[Computed, ...]
    primitives: tuple[_core.Primitive, ...]


def build(module: ModuleOp, function: str, threads: int, weights: PackedWeights) -> Built:
    """Prepares every step of `function` and of what it calls, and packs constant weights.

    Raises:
        LastuseError: there is no such function, an op is no storage-level op, a constant has no array, or oneDNN has no
            such primitive; with the op's place.
    """
    functions = functions_of(module)
    if function not in functions:
        raise LastuseError(f"the module has no function @{function}", module)
    return Builder(module, callees_first(functions, function), threads, weights).build()


def callees_first(functions: dict[str, FuncOp], main: str) -> list[FuncOp]:
    """`main` and what it calls, each function behind all that it calls itself."""
    order: list[FuncOp] = []
    names = {main}
    for func in topological_order(functions):
        if func.sym_name.data in names:
            order.append(func)
            names |= {callee_of(call) for call in calls_in(func)}
    return order[::-1]


def writes_nothing(step: DestinationStyleBase) -> bool:
    """Whether a step has no bytes to write; then it is left out."""
    return all(0 in memory.shape for memory in step.out_memories)


class Builder(ControlFlow):
    """Builds the program of the last of some functions, which calls the others."""

    def __init__(self, module: ModuleOp, functions: list[FuncOp], threads: int, weights: PackedWeights) -> None:
        self.module, self.functions, self.weights = module, functions, weights
        arenas = [op for func in functions for op in func.body.walk() if isinstance(op, ArenaOp)]
        super().__init__(_core.StepProgram(max((a.byte_offset + a.nbytes for a in arenas), default=0), threads))
        self.buffers: dict[SSAValue, int] = {}
        self.starts: dict[SSAValue, int] = {}
        self.views: dict[SSAValue, int] = {}
        self.arrays: dict[SSAValue, np.ndarray] = {}
        self.packings: dict[str, Packing] = {}
        self.grus: dict[int, _core.GruWeights] = {}
        self.layers: dict[int, np.ndarray] = {}
        self.places: dict[str, Location] = {}
        self.computed: list[Computed] = []
        self.primitives: list[_core.Primitive] = []

    @property
    def constant_bytes(self) -> int:
        """Bytes of the constants so far, each counted once."""
        return sum({a.__array_interface__["data"][0]: a.nbytes for a in self.arrays.values()}.values())

    def build(self) -> Built:
        """The program. Raises LastuseError as the function `build` does."""
        *called, main = self.functions
        for func in called:
            self._called(func)
        self.core.set_entry()
        arguments = self.main(main)
        packed = sum(p.nbytes for p in (*self.packings.values(), *self.layers.values()))
        packed += sum(w.packed_bytes for w in self.grus.values())
        computed, primitives = tuple(self.computed), tuple(self.primitives)
        return Built(self.core, arguments, self.constant_bytes, packed, self.places, computed, primitives)

    # Functions

    def _called(self, func: FuncOp) -> None:
        """A function that others call: its memory is what the call gives, its scalars are in registers."""
        label = self.core.add_label()
        parameters: list[int] = []
        for argument in func.body.blocks[0].args:
            if isinstance(argument.type, MemRefType):
                memory = self._memory(argument)
                self.buffers[argument] = self.core.add_parameter(memory.layout.nbytes)
                parameters.append(self.buffers[argument])
            else:
                parameters.append(self.register(argument))
        returned = [self.core.add_register() for _ in func.function_type.outputs.data]

        def leave(op: ReturnOp) -> None:
            for value, register in zip(op.operands, returned, strict=True):
                self.core.add_move(self.register(value), register)
            self.core.add_return()

        self.core.bind_label(label)
        self.body(func, leave)
        self.called[func.sym_name.data] = Function(label, parameters, returned)

    def main(self, func: FuncOp) -> tuple[Argument, ...]:
        """The function that runs: its arguments are the caller's arrays, scalars those without axes."""
        arguments: list[Argument] = []
        for argument in func.body.blocks[0].args:
            parameter = self._argument(argument)
            arguments.append(parameter)
            if parameter.is_scalar:
                view = self._scalar_view(parameter, writable=False)
                self.core.add_load("", view, [], self.register(argument))
        results = [self._scalar_result(func, index) for index in range(len(func.function_type.outputs.data))]
        views = [self._scalar_view(result, writable=True) for result in results]

        def leave(op: ReturnOp) -> None:
            for value, view in zip(op.operands, views, strict=True):
                self.core.add_store(self.register(value), view)
            self.core.add_return()

        self.body(func, leave)
        return (*arguments, *results)

    def _scalar_view(self, argument: Argument, writable: bool) -> int:
        name = argument.result if writable else argument.input
        buffer = self.core.add_argument(str(name), argument.dtype, (), writable)
        return self.core.add_view(buffer, 0, argument.dtype, (), ())

    @staticmethod
    def _scalar_result(func: FuncOp, index: int) -> Argument:
        type_ = func.function_type.outputs.data[index]
        if dtype_name(type_) not in SCALARS:
            raise LastuseError(f"result {index} is {type_}, which is no scalar that runs; memory is an argument", func)
        name = attrs.result_attributes(func, index).get(RESULT)
        shown = name.data if isinstance(name, StringAttr) else f"result{index}"
        return Argument(None, shown, (), numpy_dtype(dtype_name(type_)), True)

    def _memory(self, argument: BlockArgument) -> MemRefLayout:
        try:
            memory = memory_of(argument.type)
        except VerifyException as error:
            why = f"argument {argument.index}: {error}, and no scalar that runs ({', '.join(SCALARS)})"
            raise LastuseError(why, argument.block.parent_op()) from error
        if not memory.layout.is_dense:
            raise LastuseError(f"argument {argument.index} is not dense", argument.block.parent_op())
        return memory

    def _argument(self, argument: BlockArgument) -> Argument:
        func = argument.block.parent_op()
        attributes = attrs.argument_attributes(argument)
        name_attribute, result = attributes.get(attrs.NAME), attributes.get(RESULT)
        name = name_attribute.data if isinstance(name_attribute, StringAttr) else None
        result_name = result.data if isinstance(result, StringAttr) else None
        if name is None and result_name is None:
            raise LastuseError(f"argument {argument.index} has neither {attrs.NAME} nor {RESULT}", func)
        if dtype_name(argument.type) in SCALARS:
            return Argument(name or f"arg{argument.index}", None, (), numpy_dtype(dtype_name(argument.type)), True)
        memory = self._memory(argument)
        dtype = numpy_dtype(memory.dtype)
        writable = result_name is not None or isinstance(attributes.get(attrs.DONATED), UnitAttr)
        shown = name if name is not None else str(result_name)
        self.buffers[argument] = self.core.add_argument(shown, dtype, memory.shape, writable)
        return Argument(name, result_name, memory.shape, dtype)

    # Steps

    def step(self, op: Operation) -> None:
        """The step of an op that touches memory; ops that only say where memory is make none."""
        match op:
            case ArenaOp():
                self.buffers[op.memory] = _core.StepProgram.ARENA
                self.starts[op.memory] = op.byte_offset
            case ConstantBufferOp():
                self.arrays[op.memory] = array = constant_array(op, self.module)
                self.buffers[op.memory] = self.core.add_constant(array)
            case ViewOp() | PackOp():
                pass  # made by the steps that use them
            case DestinationStyleBase():
                self._step(op)
            case _:
                raise LastuseError(f"{op.name} is not an op that runs; lower the program to onednn first", op)

    def _step(self, step: DestinationStyleBase) -> None:
        if writes_nothing(step):
            return
        name = step_name(step)
        if (where := location_of(step)) is not None:
            self.places[name] = where
        outs = [self.view(value) for value in step.outs]
        kernel: str | None = ""
        match step:
            case BufferCopyOp():
                self.core.add_copy(name, self.view(step.ins[0]), outs[0])
            case KernelCallOp():
                kernel = self.kernel_call(step, name, outs)
            case OneDnnGruOp():
                self.gru(step, name, outs)
            case OneDnnRecurrentOp():
                self.recurrent(step, name, outs)
            case PrimitiveBase():
                self.primitive(step, name, outs)
                kernel = None
            case _:
                raise LastuseError(f"{step.name} is not an op that runs", step)
        if engines := engines_of_step(step):
            self.computed.append(("+".join(engines), kernel))

    def primitive(self, step: PrimitiveBase, name: str, outs: list[int]) -> None:
        """Adds the step."""
        primitive, ins = self._primitive(step)
        self.core.add_primitive(name, primitive, ins, outs, self._scratch(step, primitive.scratch_bytes))
        self.primitives.append(primitive)

    def kernel_call(self, step: KernelCallOp, name: str, outs: list[int]) -> str:
        """Adds the call, and returns the name of the kernel in C++, if it is one."""
        op = step.op()
        needed, native = native_scratch(step, self.core.threads), op.native_kernel()
        ins, scratch = [self.view(value) for value in step.ins], self._scratch(step, needed)
        if step.native is None:
            self.core.add_call(name, _kernel(op, name, location_of(step)), ins, outs, scratch, needed)
        elif native is not None:
            self.core.add_native(name, native, op.name, op.native_numbers(), ins, outs, scratch, needed)
        else:
            raise LastuseError(f"{op.name} has no native kernel", step)
        return native if step.native is not None and native is not None else ""

    def _primitive(self, step: PrimitiveBase) -> tuple[_core.Primitive, list[int]]:
        if isinstance(step, OneDnnMatmulOp | WeightedBase):
            # What is added to dst is dst itself, which the primitive knows already.
            passed = [step.ins[number] for number in step.passed()]
            source = packed_source(step.ins[1])
            if source is None:
                return primitive_of(step, self.core.threads), [self.view(v) for v in passed]
            memory = memory_of(source.type)
            array = self.constant(source)
            primitive, packing = self.weights.for_step(array, memory, step, self.core.threads)
            weights = self._packed(source, packing)
            return primitive, [self.view(passed[0]), weights, *(self.view(v) for v in passed[2:])]
        return primitive_of(step, self.core.threads), [self.view(v) for v in step.ins]

    def recurrent(self, step: OneDnnRecurrentOp, name: str, outs: list[int]) -> None:
        numbers, given, packed = step.numbers, step.given, None
        read = [numbers.x, numbers.h, numbers.c, numbers.lengths]
        if step.is_packed:
            w, r = (self.constant(plain_weights(step.ins[k])) for k in (numbers.w, numbers.r))
            optional = (numbers.bias, numbers.peephole)
            rows = (None if k is None else self.constant(plain_weights(step.ins[k])) for k in optional)
            packed = self.weights.for_recurrent(step.cell.data, RecurrentArrays(w, r, *rows))
            self.layers[id(packed)] = packed
        else:
            read += numbers.all_parameters
        ins = [self.view(step.ins[k]) for k in read if k is not None]
        scratch = self._scratch(step, recurrent_scratch(step, self.core.threads))
        there = _core.RecurrentGiven(given.h, given.c, given.lengths, given.bias)
        shape, formula = shape_of_step(step), formula_of_step(step)
        self.core.add_recurrent(name, shape, formula, step.is_reverse, there, packed, ins, outs, scratch)

    def gru(self, step: OneDnnGruOp, name: str, outs: list[int]) -> None:
        layers: list[_core.Gru] = []
        room = gru_scratch(step, self.core.threads)
        x, *_, offsets = step.ins
        ins = [self.view(value) for value in (x, offsets, *(step.ins[k] for k in step.states()))]
        scratch = self._scratch(step, room.nbytes)
        if not step.is_packed:
            weights = [[self.view(step.ins[k]) for k in numbers] for row in step.weights() for numbers in row]
            kind = (step.directions, step.is_sum, self.weights.gru_cache)
            self.core.add_unpacked_gru(name, *kind, weights, step.data(), room, ins, outs, scratch)
            return
        for number, row in enumerate(step.weights()):
            data = step.data()[2 * number : 2 * number + 2]
            arrays = [[self.constant(plain_weights(step.ins[k])) for k in numbers] for numbers in row]
            row_weights = [self.weights.for_gru(operands, data, own_width(step)) for operands in arrays]
            self.grus.update({id(weights): weights for weights in row_weights})
            directions = list(zip(row_weights, step.directions, strict=True))
            layers.append(_core.Gru(directions, step.is_sum, self.weights.gru_cache))
        self.core.add_gru(name, layers, room, ins, outs, scratch)

    def constant(self, value: SSAValue) -> np.ndarray:
        """The elements of a view of a constant, without a copy."""
        return view_of_constant(self.arrays[locate(value).root], value)

    def _packed(self, source: SSAValue, packing: Packing) -> int:
        if packing.memory is None:
            return self.view(source)
        self.packings[str(id(packing.memory))] = packing
        return self.core.add_packed(packing.memory, packing.layout)

    def _scratch(self, step: DestinationStyleBase, needed: int) -> int:
        """The planned scratch, if it is enough. Another thread count, or strides that were not known when it was
        planned, may ask for more; then the context's own is used."""
        if step.scratch is None or memory_of(step.scratch.type).layout.nbytes < needed:
            return -1
        return self.view(step.scratch)

    def view(self, value: SSAValue) -> int:
        """The number of the view that a memref is."""
        if value not in self.views:
            self.views[value] = self._view_of(locate(value))
        return self.views[value]

    def _view_of(self, located: Operand) -> int:
        strides = [s // located.layout.item for s in located.layout.strides]
        if located.root not in self.buffers:
            raise VerifyException("the buffer of a view is an argument of the function, a constant or the arena")
        buffer, start = self.buffers[located.root], self.starts.get(located.root, 0)
        # A part of a value without elements may begin beyond it, and names no byte.
        offset = 0 if 0 in located.shape else start + located.layout.offset
        return self.core.add_view(buffer, offset, numpy_dtype(located.dtype), located.shape, strides)


def _kernel(op: HasKernel, name: str, place: Location | None) -> Kernel:
    def run(ins: list[np.ndarray], outs: list[np.ndarray], scratch: np.ndarray) -> None:
        try:
            # Infinities and NaNs are values here, as they are to oneDNN.
            with np.errstate(all="ignore"):
                op.kernel(ins, outs, scratch)
        except Exception as error:
            if isinstance(error, LastuseError):
                error.location = error.location or place
            if sys.version_info >= (3, 11):
                error.add_note(f"while running {name}")
            raise

    return run
