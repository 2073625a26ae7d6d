"""Terms of the values of a function: scalars of either form, shapes, and the parts that ops name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerAttr, MemRefType, TensorType, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.remembered import remembered
from lastuse.passes.memref_checker.index_terms import Number, known, plus, times, unknown
from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.op_meaning import is_on_elements
from lastuse.passes.memref_checker.slice_parts import ONE, Shape, SlicePart
from lastuse.passes.memref_checker.term_table import TermTable

_RANGES = ("static_offsets", "static_sizes", "static_strides")
SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp | memref.SubviewOp


class SsaTerms:
    """The terms of the scalars of one form of a function; of its tensors too, where it has some."""

    def __init__(self, contents: TermTable) -> None:
        self.contents = contents
        self.of: dict[SSAValue, int] = {}
        self._tensors: dict[SlicePart, list[Shape]] = {}
        """By part that ops name the shapes of its tensors: it is inside of them, or the program has no meaning."""
        self.memrefs: dict[SSAValue, int | None] = {}
        """What memrefs hold that a program on tensors is given; None of one that it made memory of a tensor."""

    # Scalars

    def number(self, value: SSAValue) -> Number:
        """A scalar of type `index`."""
        return self.number_of(self.of[value])

    def number_of(self, term: int) -> Number:
        """The number that a term of type `index` is."""
        kind = self.contents.terms[term]
        return kind[1] if kind[0] == "number" else unknown(term)  # pyright: ignore

    def as_term(self, number: Number) -> int:
        """The term of a number."""
        if len(number) == 1 and len(number[0][0]) == 1 and number[0][1] == 1:
            return number[0][0][0]
        return self.contents.term("number", number)

    def numbers(self, static: Sequence[int], dynamic: Sequence[SSAValue]) -> Shape:
        """Mixed numbers and values, as slices and shapes list them."""
        values = iter(dynamic)
        return tuple([self.number(next(values)) if n == DYNAMIC_INDEX else known(n) for n in static])

    def sizes(self, type_: Attribute, dynamic: Sequence[SSAValue]) -> Shape:
        """The sizes of a type; `dynamic` are those that it does not say."""
        found = static_shape(type_)
        return self.numbers(_sizes_of(type_), dynamic) if found is None else found

    def scalar_op(self, op: Operation) -> None:
        """An op on scalars alone: equal ops on equal operands are equal."""
        if op.regions:
            raise NotModelled(f"'{op_name(op)}' is not known")
        if isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp) and isinstance(op.result.type, IndexType):
            a, b = self.number(op.lhs), self.number(op.rhs)
            made = times(a, b) if isinstance(op, arith.MuliOp) else plus(a, b, -1 if op.name == "arith.subi" else 1)
            self.of[op.result] = self.as_term(made)
            return
        if isinstance(op, arith.ConstantOp) and isinstance(op.result.type, IndexType):
            assert isinstance(op.value, IntegerAttr)
            self.of[op.result] = self.as_term(known(op.value.value.data))
            return
        said = tuple(sorted((k, str(v)) for k, v in {**op.attributes, **op.properties}.items() if k[:4] != "dnn."))
        for n, result in enumerate(op.results):
            key = (op_name(op), said, n, str(result.type))
            self.of[result] = self.contents.term("scalar", key, tuple(self.of[v] for v in op.operands))

    def part(self, op: SliceOp) -> SlicePart:
        """The part that a slice op names."""
        offsets, sizes, strides = [_static_numbers(op.properties[name]) for name in _RANGES]
        if offsets is None or sizes is None or strides is None:
            lists = ((op.static_offsets, op.offsets), (op.static_sizes, op.sizes), (op.static_strides, op.strides))
            found = SlicePart(*(self.numbers(static.get_values(), dynamic) for static, dynamic in lists))
        else:
            found = SlicePart(offsets, sizes, strides)
        return found

    def indices(self, values: Sequence[SSAValue], tensor_: SSAValue) -> Shape:
        """The indices of an element of a tensor."""
        at = tuple(self.number(i) for i in values)
        part = SlicePart(at, (ONE,) * len(at), (ONE,) * len(at))
        self.name_part(part, self.shape(tensor_))
        return at

    def inside(self, part: SlicePart, tensor_: SSAValue) -> None:
        """The part is inside of a tensor, or the program has no meaning."""
        shape = self.shape(tensor_)
        self.contents.learn_inside(part, shape)
        self.name_part(part, shape)

    def name_part(self, part: SlicePart, shape: Shape) -> None:
        """An op names the part of a tensor of that shape: it is inside, or the program has no meaning."""
        self._tensors.setdefault(part, []).append(shape)

    def names_part_of(self, part: SlicePart, shape: Shape) -> bool:
        """An op names that part of a tensor of that shape, or of one that is no larger."""
        shapes = (s for s in self._tensors.get(part, ()) if len(s) == len(shape))
        return any(all(map(self.contents.at_most, one, shape)) for one in shapes)

    # Tensors

    def shape(self, value: SSAValue) -> Shape:
        return self.contents.shape[self.of[value]]

    def result_shape(self, op: Operation, result: OpResult) -> Shape:
        """The sizes of a result of a kernel: those of its destination, or of an operand of its type."""
        if is_on_elements(type(op)):
            shaped = [v for v in op.operands if isinstance(v.type, TensorType)]
            return self.shape(shaped[-1] if op.name == "arith.select" else shaped[0])
        if op.name == "vector.transfer_write":
            return self.shape(op.operands[1])
        if op.name == "tensor.splat":
            return self.numbers(result.type.get_shape(), op.operands[1:])  # pyright: ignore
        operands = operands_of(op)
        return self.shape(nth(operands, len(operands) - len(op.results) + result.index))

    def fresh_shape(self, type_: Attribute, *owner: object) -> Shape:
        """The sizes of a type; those that it does not say are numbers of `owner`."""
        assert isinstance(type_, TensorType)
        if (static := static_shape(type_)) is not None:
            return static
        found: list[Number] = []
        for axis, n in enumerate(type_.get_shape()):
            if n == DYNAMIC_INDEX:
                atom = self.contents.term("size", *owner, axis)
                self.contents.sizes.add(atom)
            found.append(unknown(atom) if n == DYNAMIC_INDEX else known(n))  # pyright: ignore
        return tuple(found)


@remembered
def static_shape(type_: Attribute) -> Shape | None:
    """The sizes of a type; None where it does not say all of them."""
    sizes = _sizes_of(type_)
    return None if DYNAMIC_INDEX in sizes else tuple(map(known, sizes))


def _sizes_of(type_: Attribute) -> Sequence[int]:
    assert isinstance(type_, TensorType | MemRefType)
    return type_.get_shape()


def _static_numbers(said: Attribute) -> Shape | None:
    """The numbers that an array says; None where one is of run time."""
    assert isinstance(said, DenseArrayBase)
    return _unpacked(said.data.data) if said.elt_type is i64 else _known(said.get_values())


@lru_cache(1 << 12)
def _unpacked(data: bytes) -> Shape | None:
    return _known(i64.unpack(data, len(data) // i64.size))


def _known(numbers: Sequence[int]) -> Shape | None:
    return None if DYNAMIC_INDEX in numbers else tuple(map(known, numbers))


def chosen(contents: TermTable, flag: int, one: int, two: int) -> int:
    """One of two tensors."""
    made = contents.term("chosen", flag, one, two)
    contents.shape[made] = contents.either(flag, contents.shape[one], contents.shape[two])
    return made


def collapsed(shape: Shape, groups: object) -> Shape:
    """The sizes of groups of axes that become one each."""
    found: list[Number] = []
    for group in groups.data:  # pyright: ignore
        size = ONE
        for axis in group.data:
            size = times(size, shape[axis.value.data])
        found.append(size)
    return tuple(found)


def reduced(sizes: Shape, wanted: Sequence[int]) -> Shape:
    """The sizes without some of those that are 1, to be of shape `wanted`."""
    if len(sizes) == len(wanted):
        return sizes
    kept: list[Number] = []
    for axis, size in enumerate(sizes):
        left, need = len(sizes) - axis, len(wanted) - len(kept)
        if left == need or size != ONE or (need and wanted[len(kept)] == 1):
            kept.append(size)
    return tuple(kept)
