"""Terms of the values of a function: scalars of either form, tensors, and what moves them without computing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects import arith, bufferization, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import nth, operands_of
from lastuse.dialect.ir.interfaces import HasTensorForm
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memref_checker.index_terms import Number, known, plus, range_of, times, unknown, value_of
from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.slice_parts import ONE, ZERO, Shape, SlicePart
from lastuse.passes.memref_checker.term_table import TermTable

_MOVES = (
    *(arith.SelectOp, tensor.EmptyOp, tensor.CastOp, tensor.ExtractSliceOp, tensor.InsertSliceOp, HasTensorForm),
    *(tensor.CollapseShapeOp, tensor.ExpandShapeOp, tensor.ExtractOp, tensor.InsertOp, tensor.FromElementsOp),
    *(tensor.ConcatOp, tensor.DimOp, bufferization.AllocTensorOp, bufferization.MaterializeInDestinationOp),
    bufferization.ToTensorOp,
)
SliceOp = tensor.ExtractSliceOp | tensor.InsertSliceOp | memref.SubviewOp


class SsaTerms:
    """The terms of the scalars of one form of a function; of its tensors too, where it has some."""

    def __init__(self, contents: TermTable) -> None:
        self.contents = contents
        self.of: dict[SSAValue, int] = {}
        self.named: set[SlicePart] = set()
        """Parts that ops name: they are inside of their tensors, or the program has no meaning."""
        self._tensors: dict[SlicePart, list[Shape]] = {}
        """The shapes of the tensors of which ops name a part."""
        self.memrefs: dict[SSAValue, int | None] = {}
        """What memrefs hold that a program on tensors is given; None of one that it made memory of a tensor."""

    # Scalars

    def number(self, value: SSAValue) -> Number:
        """A scalar of type `index`."""
        return self._number_of(self.of[value])

    def _number_of(self, term: int) -> Number:
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
        return tuple(self.number(next(values)) if n == DYNAMIC_INDEX else known(n) for n in static)

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
        lists = ((op.static_offsets, op.offsets), (op.static_sizes, op.sizes), (op.static_strides, op.strides))
        found = SlicePart(*(self.numbers(static.get_values(), dynamic) for static, dynamic in lists))
        self.named.add(found)
        return found

    def indices(self, values: Sequence[SSAValue], tensor_: SSAValue) -> Shape:
        """The indices of an element of a tensor."""
        at = tuple(self.number(i) for i in values)
        part = SlicePart(at, (ONE,) * len(at), (ONE,) * len(at))
        self.named.add(part)
        self._tensors.setdefault(part, []).append(self.shape(tensor_))
        return at

    def _inside(self, part: SlicePart, tensor_: SSAValue) -> None:
        """The part is inside of a tensor, or the program has no meaning."""
        self.contents.learn_inside(part, self.shape(tensor_))
        self._tensors.setdefault(part, []).append(self.shape(tensor_))

    def names_part_of(self, part: SlicePart, shape: Shape) -> bool:
        """An op names that part of a tensor of that shape."""
        shapes = (s for s in self._tensors.get(part, ()) if len(s) == len(shape))
        return any(all(map(self.contents.same, one, shape)) for one in shapes)

    # Tensors

    def shape(self, value: SSAValue) -> Shape:
        return self.contents.shape[self.of[value]]

    def result_shape(self, op: Operation, result: OpResult) -> Shape:
        """The sizes of a result of a kernel: those of its destination, or of an operand of its type."""
        if op.dialect_name() in ("arith", "math"):
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
        found: list[Number] = []
        for axis, n in enumerate(type_.get_shape()):
            if n == DYNAMIC_INDEX:
                atom = self.contents.term("size", *owner, axis)
                self.contents.sizes.add(atom)
            found.append(unknown(atom) if n == DYNAMIC_INDEX else known(n))  # pyright: ignore
        return tuple(found)

    def move(self, op: Operation) -> bool:
        """Evaluates an op on tensors that computes no new element; False for any other."""
        contents, is_constant = self.contents, _has_content(op) and contract_of(op).constant
        if not is_constant and not _may_move(type(op)):
            return False
        match op:
            case _ if is_constant:
                shape = self.fresh_shape(op.results[0].type, op)
                content = {**op.attributes, **op.properties}["value"]
                self.of[op.results[0]] = contents.symbol(shape, "constant", str(content))
            case arith.SelectOp() if not isinstance(op.cond.type, TensorType):
                self.of[op.result] = chosen(contents, *(self.of[v] for v in op.operands))
            case tensor.EmptyOp():
                self.of[op.tensor] = contents.undefined(self.numbers(op.tensor.type.get_shape(), op.operands))
            case tensor.CastOp():
                self.of[op.dest] = self.of[op.source]
                for n, size in zip(op.dest.type.get_shape(), self.shape(op.source), strict=True):  # pyright: ignore
                    if n != DYNAMIC_INDEX:
                        contents.learn(size, known(n))
            case tensor.ExtractSliceOp():
                part = self.part(op)
                self._inside(part, op.source)
                part = contents.select(self.of[op.source], part)
                self.of[op.result] = contents.reshape(part, reduced(contents.shape[part], op.result.type.get_shape()))
            case tensor.InsertSliceOp():
                part = self.part(op)
                self._inside(part, op.dest)
                shape = self.shape(op.source)
                have = reduced(part.sizes, op.source.type.get_shape())  # pyright: ignore
                for one, two in zip(shape, have, strict=True):
                    contents.learn(one, two)
                inner = contents.reshape(self.of[op.source], part.sizes)
                self.of[op.result] = contents.store(self.of[op.dest], part, inner)
            case _ if isinstance(op, HasTensorForm):
                self.of[op.results[0]] = self._at_starts(op)
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
                self.of[op.results[0]] = contents.reshape(self.of[op.operands[0]], self._reshaped(op))
            case tensor.ExtractOp():
                at = self.indices(op.indices, op.tensor)
                self.of[op.result] = contents.element(self.of[op.tensor], at)
            case tensor.InsertOp():
                at = self.indices(op.indices, op.dest)
                self.of[op.result] = contents.with_element(self.of[op.dest], at, self.of[op.scalar])
            case tensor.FromElementsOp():
                self.of[op.results[0]] = self._from_elements(op)
            case tensor.ConcatOp():
                self.of[op.results[0]] = self._concat(op)
            case tensor.DimOp():
                axis = self.number(op.index)
                if axis and axis[0][0]:
                    raise NotModelled("an axis is not known")
                self.of[op.result] = self.as_term(self.shape(op.source)[axis[0][1] if axis else 0])
            case bufferization.ToTensorOp() | bufferization.MaterializeInDestinationOp() if not is_on_tensors(op):
                return self._memref(op)
            case bufferization.AllocTensorOp() | bufferization.MaterializeInDestinationOp():
                given = [v for v in op.operands if isinstance(v.type, TensorType)]
                if not given:
                    type_ = op.results[0].type
                    assert isinstance(type_, TensorType)
                    self.of[op.results[0]] = contents.undefined(self.numbers(type_.get_shape(), op.operands))
                if isinstance(op, bufferization.MaterializeInDestinationOp):
                    for one, two in zip(self.shape(op.source), self.shape(op.dest), strict=True):
                        contents.learn(one, two)
                for result in op.results if given else ():
                    self.of[result] = self.of[given[0]]
            case _:
                return False
        return True

    def _memref(self, op: bufferization.ToTensorOp | bufferization.MaterializeInDestinationOp) -> bool:
        """An op that takes a tensor from a memref of the program's, or leaves one there; False for other memrefs."""
        memref_ = op.memref if isinstance(op, bufferization.ToTensorOp) else op.dest
        if memref_ not in self.memrefs:
            return False
        if isinstance(op, bufferization.MaterializeInDestinationOp):
            self.memrefs[memref_] = self.of[op.source]
            return True
        held = self.memrefs[memref_]
        if held is None or op.restrict is None or op.writable is None:
            raise NotModelled("a memref that is several tensors is not known")
        self.of[op.tensor], self.memrefs[memref_] = held, None
        return True

    # Parts at starts that tensors hold

    def _at_starts(self, op: Operation) -> int:
        """The part that lies inside, as near to the starts as that; or what has another one in its place."""
        assert isinstance(op, HasTensorForm)
        base, taken = self.of[op.operands[0]], op.part_of_operand()
        is_taken = taken in op.results
        whole, sizes = self.contents.shape[base], self.fresh_shape(taken.type, op) if is_taken else self.shape(taken)
        offsets = tuple(
            self._clamped(self._start(start), plus(many, few, -1))
            for start, many, few in zip(op.start_values(), whole, sizes, strict=True)
        )
        part = SlicePart(offsets, sizes, (ONE,) * len(sizes))
        self.named.add(part)
        return self.contents.select(base, part) if is_taken else self.contents.store(base, part, self.of[taken])

    def _start(self, start: SSAValue) -> Number:
        """The number that a start holds."""
        assert isinstance(start.type, TensorType)
        if isinstance(start.owner, Operation) and contract_of(start.owner).constant:
            content = {**start.owner.attributes, **start.owner.properties}["value"]
            if not isinstance(content, DenseIntOrFPElementsAttr):
                raise NotModelled("the content of a start is not known")
            return known(int(content.get_values()[0]))
        element = self.contents.element(self.of[start], ())
        if isinstance(start.type.element_type, IndexType):
            return self._number_of(element)
        term = self.contents.terms[element]
        if term[0] == "scalar" and term[1] == _cast_to("i64"):
            return self._number_of(term[2][0])  # pyright: ignore[reportIndexIssue, reportArgumentType]
        return self._number_of(self.contents.term("scalar", _cast_to("index"), (element,)))

    def _clamped(self, number: Number, last: Number) -> Number:
        """A number, `last` where it is more, 0 where it is less; itself where it is proved to be neither."""
        one, most = value_of(number), value_of(last)
        if one is not None and most is not None:
            return known(max(0, min(one, most)))
        ends = range_of(number, self.contents.ranges)
        if ends is not None and most is not None and ends[0] >= 0 and ends[1] <= most:
            return number
        low = self.contents.term("scalar", _on_indices("minsi"), (self.as_term(number), self.as_term(last)))
        return self._number_of(self.contents.term("scalar", _on_indices("maxsi"), (low, self.as_term(ZERO))))

    def _reshaped(self, op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> Shape:
        if isinstance(op, tensor.ExpandShapeOp):
            return self.numbers(op.static_output_shape.get_values(), op.dynamic_output_shape)
        return collapsed(self.shape(op.src), op.reassociation)

    def _from_elements(self, op: Operation) -> int:
        shape = self.fresh_shape(op.results[0].type, op)
        made, sizes = self.contents.undefined(shape), op.results[0].type.get_shape()  # pyright: ignore
        for n, value in enumerate(op.operands):
            at: list[Number] = []
            for size in reversed(sizes):
                n, inner = divmod(n, size)
                at.append(known(inner))
            made = self.contents.with_element(made, tuple(reversed(at)), self.of[value])
        return made

    def _concat(self, op: tensor.ConcatOp) -> int:
        axis = op.dim.value.data
        shapes = [self.shape(v) for v in op.operands]
        total: Number = ZERO
        for shape in shapes:
            total = plus(total, shape[axis])
        whole = (*shapes[0][:axis], total, *shapes[0][axis + 1 :])
        made, at = self.contents.undefined(whole), ZERO
        for value, shape in zip(op.operands, shapes, strict=True):
            offsets = tuple(at if a == axis else ZERO for a in range(len(shape)))
            part = SlicePart(offsets, shape, (ONE,) * len(shape))
            self.named.add(part)
            made = self.contents.store(made, part, self.of[value])
            at = plus(at, shape[axis])
        return made


def is_on_tensors(op: Operation) -> bool:
    """All that the op is given and makes is no memref."""
    return not any(isinstance(v.type, MemRefType) for v in (*op.operands, *op.results))


def _has_content(op: Operation) -> bool:
    return "value" in op.properties or "value" in op.attributes


@cache
def _may_move(op_class: type[Operation]) -> bool:
    """Whether ops of a class may move what they are given."""
    return issubclass(op_class, _MOVES)


def _on_indices(name: str) -> tuple[object, ...]:
    """What says of a scalar that it is this of `arith`, on indices."""
    return f"arith.{name}", (), 0, "index"


def _cast_to(type_: str) -> tuple[object, ...]:
    """What says of a scalar that it is a cast to an index, or of one."""
    return "arith.index_cast", (), 0, type_


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
    kept: list[Number] = []
    for axis, size in enumerate(sizes):
        left, need = len(sizes) - axis, len(wanted) - len(kept)
        if left == need or size != ONE or (need and wanted[len(kept)] == 1):
            kept.append(size)
    return tuple(kept)
