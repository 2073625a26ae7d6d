"""Programs on tensors and their memref forms: `tensor`, `memref`, `linalg`, `arith` and control flow, on numpy.

A tensor is an array that nothing writes again. A memref is a view of memory (`buffers.py`): writes are seen by all
views of that, memory that is taken holds noise, and what is given back may not be used. Loops of `linalg` go over
elements in any order, so that an op that writes over what it still reads gives other numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects import affine, arith, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, MemRefType, ModuleOp, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.ir import Block, Operation, SSAValue

from .buffers import Buffer, Memory, OutOfBounds, WrongAccess, element_of, part_of, poisoned, without_ones
from .ir_values import Array, dtype_of, sizes_of
from .linalg_loops import run_loops
from .rounding import Rounding
from .scalar_ops import scalar_result
from .staged_ops import staged
from .walk import Interpreter

Operands = Sequence[Array | Buffer]
Results = Sequence[Array | Buffer]


class BufferWalk(Interpreter):
    """One run of a module on tensors or on memrefs.

    Args:
        seed: of the order of loops, and of what new memory holds.

    Attributes:
        taken: the memory that was taken and not given back.
    """

    def __init__(self, module: ModuleOp, seed: int = 0) -> None:
        super().__init__(module, Rounding(0))
        self.rng = random.Random(seed)
        self.taken: list[Memory] = []
        self._globals: dict[str, Buffer] = {}
        for op in module.ops:
            if isinstance(op, memref.GlobalOp) and isinstance(op.initial_value, DenseIntOrFPElementsAttr):
                held = _elements(op.initial_value, element_of(op.type), op.type.get_shape())  # pyright: ignore
                self._globals[op.sym_name.data] = Buffer(held, Memory("a constant", read_only=True))

    def _bind(self, values: dict[SSAValue, Array], names: Sequence[SSAValue], arrays: Sequence[Array]) -> None:
        values.update(zip(names, arrays, strict=True))

    def _results(self, op: Operation, values: dict[SSAValue, Array]) -> Sequence[Array]:
        if (found := staged(op, values, self._region)) is not None:
            return found  # pyright: ignore
        if op.dialect_name() in ("scf", "func", "dnn"):
            return super()._results(op, values)
        operands = [values[v] for v in op.operands]
        if isinstance(op, LinalgStructuredOperation):
            return self._linalg(op, operands, values)
        if op.dialect_name() == "arith":
            return self._arith(op, operands)
        return MEANINGS[type(op)](op, operands, self)  # pyright: ignore

    def _arith(self, op: Operation, operands: Sequence[Array]) -> Sequence[Array]:
        type_ = op.results[0].type
        if isinstance(op, arith.ConstantOp) and isinstance(type_, TensorType):
            assert isinstance(op.value, DenseIntOrFPElementsAttr)
            return [_elements(op.value, dtype_of(type_), type_.get_shape())]
        if isinstance(op, arith.SelectOp) and isinstance(type_, TensorType | MemRefType):
            return [operands[1] if operands[0] else operands[2]]
        if isinstance(type_, TensorType) and len({np.shape(o) for o in operands}) > 1:
            raise OutOfBounds
        return [np.asarray(scalar_result(op, operands))]

    def _linalg(
        self, op: LinalgStructuredOperation, operands: Sequence[Array], values: dict[SSAValue, Array]
    ) -> Sequence[Array]:
        count = len(op.get_indexing_maps().data)
        given, first = operands[:count], len(op.inputs)
        ins = [o.read() if isinstance(o, Buffer) else np.asarray(o) for o in given[:first]]
        outs = [o.written() if isinstance(o, Buffer) else np.array(o) for o in given[first:]]

        def body(block: Block, arguments: Sequence[Array], at: Sequence[int]) -> Sequence[Array]:
            inner = dict(values)
            inner.update(zip(block.args, arguments, strict=True))
            for inside in block.ops:
                if isinstance(inside, YieldOp):
                    return [inner[v] for v in inside.operands]
                if isinstance(inside, IndexOp):
                    inner[inside.result] = np.array(at[inside.dim.value.data], np.int64)
                    continue
                inner.update(zip(inside.results, self._results(inside, inner), strict=True))
            raise AssertionError("a body yields")

        run_loops(op, ins, outs, body, self.rng)
        return outs if op.results else []

    def take(self, name: str, shape: Sequence[int], dtype: np.dtype) -> Buffer:
        """New memory."""
        memory = Memory(name)
        self.taken.append(memory)
        return Buffer(poisoned(shape, dtype, self.rng), memory)

    def give_back(self, memory: Memory) -> None:
        """Raises `WrongAccess` where it was not taken, or given back before."""
        if memory not in self.taken:
            raise WrongAccess(f"{memory.name} is given back and was not taken")
        self.taken.remove(memory)
        memory.alive = False

    def constant(self, name: str) -> Buffer:
        """The memory of a global."""
        return self._globals[name]


def _elements(content: DenseIntOrFPElementsAttr, dtype: np.dtype, shape: Sequence[int]) -> Array:
    flat = np.array(content.get_values(), dtype)
    return np.array(np.broadcast_to(flat[0], shape) if flat.size == 1 else flat.reshape(shape))


def _mixed(static: Sequence[int], dynamic: Sequence[Array]) -> list[int]:
    """Numbers of which the unknown ones are given."""
    values = iter(dynamic)
    return [int(next(values)) if n == DYNAMIC_INDEX else n for n in static]


def _bounds(op: Operation, operands: Operands, first: int) -> tuple[list[int], list[int], list[int]]:
    """Offsets, sizes and strides of a slice, whose unknown ones are operands from `first` on."""
    names = ("static_offsets", "static_sizes", "static_strides")
    lists = [op.properties[name].get_values() for name in names]  # pyright: ignore
    found: list[list[int]] = []
    for static in lists:
        count = sum(n == DYNAMIC_INDEX for n in static)
        found.append(_mixed(static, operands[first : first + count]))  # pyright: ignore
        first += count
    return found[0], found[1], found[2]


# Tensors


def _shaped(array: Array, type_: TensorType) -> Array:
    return without_ones(array, type_.get_shape())


def _extract_slice(op: tensor.ExtractSliceOp, operands: Operands, _: BufferWalk) -> Results:
    return [np.array(_shaped(part_of(operands[0], *_bounds(op, operands, 1)), op.result.type))]  # pyright: ignore


def _insert_slice(op: tensor.InsertSliceOp, operands: Operands, _: BufferWalk) -> Results:
    source, result = operands[0], np.array(operands[1])
    part = part_of(result, *_bounds(op, operands, 2))
    if part.size != np.asarray(source).size:
        raise OutOfBounds
    part[...] = np.reshape(source, part.shape)  # pyright: ignore
    return [result]


def _fitting(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    wanted = sizes_of(op.results[0].type)
    have = np.shape(operands[0])  # pyright: ignore
    if any(w not in (None, h) for w, h in zip(wanted, have, strict=True)):
        raise OutOfBounds
    return [operands[0]]


def _collapsed(op: tensor.CollapseShapeOp | memref.CollapseShapeOp, shape: Sequence[int]) -> list[int]:
    return [int(np.prod([shape[a.value.data] for a in group], dtype=np.int64)) for group in op.reassociation]  # pyright: ignore


def _reshaped(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    array, *sizes = operands
    if isinstance(op, tensor.ExpandShapeOp):
        shape = _mixed(op.static_output_shape.get_values(), sizes)  # pyright: ignore
        joined = [int(np.prod([shape[a.value.data] for a in group], dtype=np.int64)) for group in op.reassociation]  # pyright: ignore
        if op.reassociation.data and joined != [*np.shape(array)]:  # pyright: ignore
            raise OutOfBounds
    else:
        assert isinstance(op, tensor.CollapseShapeOp)
        shape = _collapsed(op, np.shape(array))  # pyright: ignore
    if any(n not in (None, have) for n, have in zip(sizes_of(op.results[0].type), shape, strict=True)):
        raise OutOfBounds
    return [np.array(array).reshape(shape)]


def _stated_shape(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    shape = [int(n) for n in operands[1]]  # pyright: ignore
    wanted = sizes_of(op.results[0].type)
    if np.size(operands[0]) != np.prod(shape, dtype=np.int64) or min(shape, default=0) < 0:  # pyright: ignore
        raise OutOfBounds
    if any(n not in (None, have) for n, have in zip(wanted, shape, strict=True)):
        raise OutOfBounds
    return [np.array(operands[0]).reshape(shape)]


def _checked(array: Array, at: Sequence[Array]) -> tuple[int, ...]:
    where = tuple(int(i) for i in at)
    if any(not 0 <= i < n for i, n in zip(where, array.shape, strict=True)):
        raise OutOfBounds
    return where


def _extract(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    array, *at = operands
    return [np.array(array[_checked(array, at)])]  # pyright: ignore


def _insert(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    value, dest, *at = operands
    result = np.array(dest)
    result[_checked(result, at)] = value  # pyright: ignore
    return [result]


def _empty(op: Operation, operands: Operands, walk: BufferWalk) -> Results:
    type_ = op.results[0].type
    return [poisoned(_mixed(type_.get_shape(), operands), dtype_of(type_), walk.rng)]  # pyright: ignore


def _concat(op: tensor.ConcatOp, operands: Operands, _: BufferWalk) -> Results:
    return [np.concatenate(operands, op.dim.value.data)]  # pyright: ignore


def _from_elements(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    type_ = op.results[0].type
    return [np.array(operands, dtype_of(type_)).reshape([n or 0 for n in sizes_of(type_)])]


def _splat(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    type_ = op.results[0].type
    return [np.full(_mixed(type_.get_shape(), operands[1:]), operands[0])]  # pyright: ignore


def _size(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    array = operands[0].array if isinstance(operands[0], Buffer) else operands[0]
    return [np.array(array.shape[int(operands[1])], np.int64)]  # pyright: ignore


# Memrefs


def _alloc(op: memref.AllocOp, operands: Sequence[Array], walk: BufferWalk) -> Results:
    type_ = op.memref.type
    return [walk.take(op.memref.name_hint or "memory", _mixed(type_.get_shape(), operands), element_of(type_))]


def _address(_: Operation, operands: Sequence[Buffer], __: BufferWalk) -> Results:
    return [np.array(id(operands[0].memory), np.int64)]


def _dealloc(_: Operation, operands: Sequence[Buffer], walk: BufferWalk) -> Results:
    walk.give_back(operands[0].memory)
    return []


def _view(op: memref.ViewOp, operands: Operands, _: BufferWalk) -> Results:
    base, offset, *sizes = operands
    assert isinstance(base, Buffer)
    type_ = op.results[0].type
    assert isinstance(type_, MemRefType)
    shape, dtype = _mixed(type_.get_shape(), sizes), element_of(type_)  # pyright: ignore
    first, count = int(offset), int(np.prod(shape, dtype=np.int64)) * dtype.itemsize  # pyright: ignore
    if first < 0 or first + count > base.array.size:
        raise WrongAccess(f"a view ends at byte {first + count} of {base.array.size}")
    return [base.other(base.array[first : first + count].view(dtype).reshape(shape))]


def _subview(op: memref.SubviewOp, operands: Operands, _: BufferWalk) -> Results:
    base = operands[0]
    assert isinstance(base, Buffer)
    type_ = op.result.type
    assert isinstance(type_, MemRefType)
    return [base.other(without_ones(part_of(base.array, *_bounds(op, operands, 1)), type_.get_shape()))]


def _memref_cast(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    type_, made = op.results[0].type, operands[0]
    assert isinstance(made, Buffer) and isinstance(type_, MemRefType)
    if any(n not in (DYNAMIC_INDEX, have) for n, have in zip(type_.get_shape(), made.array.shape, strict=True)):
        raise OutOfBounds
    return [made]


def _memref_reshape(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    """Groups of axes become one, or one a group: what is not a view of the same memory is a mistake."""
    base, *sizes = operands
    assert isinstance(base, Buffer)
    type_ = op.results[0].type
    assert isinstance(type_, MemRefType)
    if isinstance(op, memref.ExpandShapeOp):
        shape = _mixed(op.static_output_shape.get_values(), sizes)  # pyright: ignore
    else:
        assert isinstance(op, memref.CollapseShapeOp)
        shape = _collapsed(op, base.array.shape)
    made = base.array.reshape(shape)
    if made.size and not np.shares_memory(made, base.array):
        raise WrongAccess("a reshape of memory that is not contiguous")
    return [base.other(made)]


def _reinterpret(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    base = operands[0]
    assert isinstance(base, Buffer)
    sizes, strides = _bounds(op, operands, 1)[1:]
    step = base.array.itemsize
    made = np.lib.stride_tricks.as_strided(base.array, sizes, [s * step for s in strides])
    if made.size != base.array.size:
        raise WrongAccess("a reinterpret_cast that shows other elements")
    return [base.other(made)]


def _load(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    base, *at = operands
    assert isinstance(base, Buffer)
    array = base.read()
    return [np.array(array[_checked(array, at)])]  # pyright: ignore


def _store(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    value, base, *at = operands
    assert isinstance(base, Buffer)
    array = base.written()
    array[_checked(array, at)] = value  # pyright: ignore
    return []


def _copy(op: Operation, operands: Sequence[Buffer], _: BufferWalk) -> Results:
    """Elements are copied one after the other, in any order: the two may not overlap."""
    source, target = operands[0].read(), operands[1].written()
    if source.shape != target.shape:
        raise OutOfBounds
    if np.shares_memory(source, target):
        raise WrongAccess("a copy onto itself")
    target[...] = source
    return []


def _get_global(op: memref.GetGlobalOp, _: Operands, walk: BufferWalk) -> Results:
    return [walk.constant(op.name_.string_value())]


def _apply(op: Operation, operands: Operands, _: BufferWalk) -> Results:
    assert isinstance(op, affine.ApplyOp)
    numbers, dims = [int(v) for v in operands], op.map.data.num_dims  # pyright: ignore
    return [np.array(n, np.int64) for n in op.map.data.eval(numbers[:dims], numbers[dims:])]


MEANINGS: dict[type[Operation], Callable[..., Results]] = {
    affine.ApplyOp: _apply,
    tensor.ExtractSliceOp: _extract_slice,
    tensor.InsertSliceOp: _insert_slice,
    tensor.CastOp: _fitting,
    tensor.CollapseShapeOp: _reshaped,
    tensor.ExpandShapeOp: _reshaped,
    tensor.ReshapeOp: _stated_shape,
    tensor.ExtractOp: _extract,
    tensor.InsertOp: _insert,
    tensor.EmptyOp: _empty,
    tensor.ConcatOp: _concat,
    tensor.FromElementsOp: _from_elements,
    tensor.SplatOp: _splat,
    tensor.DimOp: _size,
    memref.DimOp: _size,
    memref.AllocOp: _alloc,
    memref.DeallocOp: _dealloc,
    memref.ExtractAlignedPointerAsIndexOp: _address,
    memref.ViewOp: _view,
    memref.SubviewOp: _subview,
    memref.CastOp: _memref_cast,
    memref.CollapseShapeOp: _memref_reshape,
    memref.ExpandShapeOp: _memref_reshape,
    memref.ReinterpretCastOp: _reinterpret,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.CopyOp: _copy,
    memref.GetGlobalOp: _get_global,
}
"""What each op gives, for what it is given."""
