"""Ops on tensors that compute no new element: they move what they are given."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, bufferization, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, MemRefType, TensorType
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.flow_graphs import nth, operands_of, type_of
from lastuse.dialect.ir.interfaces import HasTensorForm
from lastuse.dialect.ir.unranked_tensors import TensorRankOp, is_unranked
from lastuse.dialect.storage.contract import contract_of
from lastuse.passes.memref_checker.index_terms import Number, known, plus, range_of, value_of
from lastuse.passes.memref_checker.memory_contents import NotModelled
from lastuse.passes.memref_checker.slice_parts import ONE, ZERO, SlicePart
from lastuse.passes.memref_checker.ssa_terms import SsaTerms, chosen, collapsed, reduced
from lastuse.passes.memref_checker.unranked_shapes import rank_of, size_along, stated, with_rank, without_rank

Evaluation = Callable[..., bool | None]
"""Of an op: False where it moves nothing."""


class TensorMoves:
    """Those of one function, evaluated on its terms."""

    def __init__(self, terms: SsaTerms) -> None:
        self.terms, self.contents, self.of = terms, terms.contents, terms.of
        self._evaluations: dict[type, Evaluation] = {
            arith.SelectOp: self._select,
            tensor.EmptyOp: self._empty,
            tensor.CastOp: self._cast,
            tensor.ExtractSliceOp: self._extract_slice,
            tensor.InsertSliceOp: self._insert_slice,
            HasTensorForm: self._at_starts,
            tensor.CollapseShapeOp: self._collapse,
            tensor.ExpandShapeOp: self._expand,
            tensor.ExtractOp: self._extract,
            tensor.InsertOp: self._insert,
            tensor.FromElementsOp: self._from_elements,
            tensor.ConcatOp: self._concat,
            tensor.DimOp: self._dim,
            TensorRankOp: self._rank,
            bufferization.ToTensorOp: self._to_tensor,
            bufferization.MaterializeInDestinationOp: self._materialize,
            bufferization.AllocTensorOp: self._alloc,
        }
        self._undefined: dict[int, int] = {}
        """The terms of tensors that nothing wrote, by the identities of types that say all sizes, which ops hold."""
        self._of_class: dict[type[Operation], Evaluation | None] = {}

    def move(self, op: Operation) -> bool:
        """Evaluates an op on tensors that computes no new element; False for any other."""
        if ("value" in op.properties or "value" in op.attributes) and contract_of(op).constant:
            shape = self.terms.fresh_shape(op.results[0].type, op)
            content = {**op.attributes, **op.properties}["value"]
            self.of[op.results[0]] = self.contents.symbol(shape, "constant", str(content))
            return True
        op_class = type(op)
        if op_class not in self._of_class:
            found = (e for moving, e in self._evaluations.items() if issubclass(op_class, moving))
            self._of_class[op_class] = next(found, None)
        evaluate = self._of_class[op_class]
        return evaluate is not None and evaluate(op) is not False

    def _select(self, op: arith.SelectOp) -> bool:
        if isinstance(op.cond.type, TensorType):
            return False
        self.of[op.result] = chosen(self.contents, *(self.of[v] for v in op.operands))
        return True

    def _empty(self, op: tensor.EmptyOp) -> None:
        (result,), dynamic = op.results, operands_of(op)
        type_ = type_of(result)
        made = self._undefined.get(id(type_)) if not dynamic else None
        if made is None:
            made = self.contents.undefined(self.terms.sizes(type_, dynamic))
            if not dynamic:
                self._undefined[id(type_)] = made
        self.of[result] = made

    def _cast(self, op: tensor.CastOp) -> None:
        shape, sizes = self.terms.shape(op.source), op.dest.type.get_shape()  # pyright: ignore
        self.of[op.dest] = self.of[op.source]
        if is_unranked(op.dest):
            if not is_unranked(op.source):
                self.of[op.dest] = self.contents.reshape(self.of[op.source], without_rank(shape, self.terms))
            return
        if is_unranked(op.source):
            (number,), shape = shape, with_rank(shape, len(sizes), self.terms)
            have = stated(shape, sizes)
            self.of[op.dest] = self.contents.reshape(self.of[op.source], have)
            self.contents.learn(number, *without_rank(have, self.terms))
        for n, size in zip(sizes, shape, strict=True):
            if n != DYNAMIC_INDEX:
                self.contents.learn(size, known(n))

    def _extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        source, (result,) = nth(operands_of(op), 0), op.results
        part = self.terms.part(op)
        self.terms.inside(part, source)
        made = self.contents.select(self.of[source], part)
        shape = reduced(self.contents.shape[made], result.type.get_shape())  # pyright: ignore
        self.of[result] = self.contents.reshape(made, shape)

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        operands = operands_of(op)
        source, dest = nth(operands, 0), nth(operands, 1)
        part = self.terms.part(op)
        self.terms.inside(part, dest)
        for one, two in zip(
            self.terms.shape(source),
            reduced(part.sizes, source.type.get_shape()),  # pyright: ignore
            strict=True,
        ):
            self.contents.learn(one, two)
        inner = self.contents.reshape(self.of[source], part.sizes)
        self.of[op.results[0]] = self.contents.store(self.of[dest], part, inner)

    def _collapse(self, op: tensor.CollapseShapeOp) -> None:
        shape = collapsed(self.terms.shape(op.src), op.reassociation)
        self.of[op.results[0]] = self.contents.reshape(self.of[op.src], shape)

    def _expand(self, op: tensor.ExpandShapeOp) -> None:
        shape = self.terms.numbers(op.static_output_shape.get_values(), op.dynamic_output_shape)
        self.of[op.results[0]] = self.contents.reshape(self.of[op.operands[0]], shape)

    def _extract(self, op: tensor.ExtractOp) -> None:
        at = self.terms.indices(op.indices, op.tensor)
        self.of[op.result] = self.contents.element(self.of[op.tensor], at)

    def _insert(self, op: tensor.InsertOp) -> None:
        at = self.terms.indices(op.indices, op.dest)
        self.of[op.result] = self.contents.with_element(self.of[op.dest], at, self.of[op.scalar])

    def _from_elements(self, op: tensor.FromElementsOp) -> None:
        shape = self.terms.fresh_shape(op.result.type, op)
        made, sizes = self.contents.undefined(shape), op.result.type.get_shape()
        for n, value in enumerate(op.operands):
            at: list[Number] = []
            for size in reversed(sizes):
                n, inner = divmod(n, size)
                at.append(known(inner))
            made = self.contents.with_element(made, tuple(reversed(at)), self.of[value])
        self.of[op.results[0]] = made

    def _concat(self, op: tensor.ConcatOp) -> None:
        axis = op.dim.value.data
        shapes = [self.terms.shape(v) for v in op.operands]
        total: Number = ZERO
        for shape in shapes:
            total = plus(total, shape[axis])
        whole = (*shapes[0][:axis], total, *shapes[0][axis + 1 :])
        made, at = self.contents.undefined(whole), ZERO
        for value, shape in zip(op.operands, shapes, strict=True):
            offsets = tuple(at if a == axis else ZERO for a in range(len(shape)))
            part = SlicePart(offsets, shape, (ONE,) * len(shape))
            self.terms.name_part(part, whole)
            made = self.contents.store(made, part, self.of[value])
            at = plus(at, shape[axis])
        self.of[op.results[0]] = made

    def _dim(self, op: tensor.DimOp) -> None:
        axis = self.terms.number(op.index)
        if is_unranked(op.source):
            self.of[op.result] = self.terms.as_term(size_along(self.terms.shape(op.source), axis, self.terms))
            return
        if axis and axis[0][0]:
            raise NotModelled("an axis is not known")
        self.of[op.result] = self.terms.as_term(self.terms.shape(op.source)[axis[0][1] if axis else 0])

    def _rank(self, op: TensorRankOp) -> None:
        self.of[op.result] = self.terms.as_term(rank_of(self.terms.shape(op.source), self.terms))

    # Memrefs of the program

    def _to_tensor(self, op: bufferization.ToTensorOp) -> bool:
        """False for a memref that the program is not given."""
        if op.memref not in self.terms.memrefs:
            return False
        held = self.terms.memrefs[op.memref]
        if held is None or op.restrict is None or op.writable is None:
            raise NotModelled("a memref that is several tensors is not known")
        self.of[op.tensor], self.terms.memrefs[op.memref] = held, None
        return True

    def _materialize(self, op: bufferization.MaterializeInDestinationOp) -> bool:
        if not is_on_tensors(op):
            if op.dest not in self.terms.memrefs:
                return False
            self.terms.memrefs[op.dest] = self.of[op.source]
            return True
        for one, two in zip(self.terms.shape(op.source), self.terms.shape(op.dest), strict=True):
            self.contents.learn(one, two)
        for result in op.results:
            self.of[result] = self.of[op.source]
        return True

    def _alloc(self, op: bufferization.AllocTensorOp) -> None:
        given = [v for v in op.operands if isinstance(v.type, TensorType)]
        (result,) = op.results
        if given:
            self.of[result] = self.of[given[0]]
        else:
            self.of[result] = self.contents.undefined(self.terms.sizes(result.type, operands_of(op)))

    # Parts at starts that tensors hold

    def _at_starts(self, op: Operation) -> None:
        """The part that lies inside, as near to the starts as that; or what has another one in its place."""
        assert isinstance(op, HasTensorForm)
        base, taken = self.of[op.operands[0]], op.part_of_operand()
        is_taken, whole = taken in op.results, self.contents.shape[base]
        sizes = self.terms.fresh_shape(taken.type, op) if is_taken else self.terms.shape(taken)
        offsets = tuple(
            self._clamped(self._start(start), plus(many, few, -1))
            for start, many, few in zip(op.start_values(), whole, sizes, strict=True)
        )
        part = SlicePart(offsets, sizes, (ONE,) * len(sizes))
        self.terms.name_part(part, whole)
        made = self.contents.select(base, part) if is_taken else self.contents.store(base, part, self.of[taken])
        self.of[op.results[0]] = made

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
            return self.terms.number_of(element)
        term = self.contents.terms[element]
        if term[0] == "scalar" and term[1] == _cast_to("i64"):
            return self.terms.number_of(term[2][0])  # pyright: ignore[reportIndexIssue, reportArgumentType]
        return self.terms.number_of(self.contents.term("scalar", _cast_to("index"), (element,)))

    def _clamped(self, number: Number, last: Number) -> Number:
        """A number, `last` where it is more, 0 where it is less; itself where it is proved to be neither."""
        one, most = value_of(number), value_of(last)
        if one is not None and most is not None:
            return known(max(0, min(one, most)))
        ends = range_of(number, self.contents.ranges)
        if ends is not None and most is not None and ends[0] >= 0 and ends[1] <= most:
            return number
        terms = self.terms
        low = self.contents.term("scalar", _on_indices("minsi"), (terms.as_term(number), terms.as_term(last)))
        return terms.number_of(self.contents.term("scalar", _on_indices("maxsi"), (low, terms.as_term(ZERO))))


def is_on_tensors(op: Operation) -> bool:
    """All that the op is given and makes is no memref."""
    return not any(isinstance(v.type, MemRefType) for v in (*op.operands, *op.results))


def _on_indices(name: str) -> tuple[object, ...]:
    """What says of a scalar that it is this of `arith`, on indices."""
    return f"arith.{name}", (), 0, "index"


def _cast_to(type_: str) -> tuple[object, ...]:
    """What says of a scalar that it is a cast to an index, or of one."""
    return "arith.index_cast", (), 0, type_
