"""A lowered function in steps: what each reads and writes, and what it does to a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_not
from typing import NoReturn

from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.onednn.buffers import ArenaOp, ConstantBufferOp, PackOp, ViewOp
from lastuse.dialect.onednn.memory import memory_of
from lastuse.dialect.onednn.primitives.data_reorder import BufferCopyOp
from lastuse.dialect.onednn.primitives.matmul import OneDnnMatmulOp
from lastuse.dialect.onednn.source import LABEL
from lastuse.dialect.onednn.step import DestinationStyleBase
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import LayoutMap
from lastuse.passes.lowering_checker.cells import ByteStorage, CellMemory, CellRegion, State
from lastuse.passes.lowering_checker.codes import Row
from lastuse.passes.lowering_checker.operands import Form, StepOperands, Use
from lastuse.passes.lowering_checker.signature import Mismatch, Signature
from lastuse.passes.lowering_checker.source_values import Contents, Values
from lastuse.passes.lowering_checker.step_matching import form_of

ARENA, CONSTANT = "the arena", "a constant"
"""What storages are called that are no argument's."""
PLACES = frozenset({ArenaOp, ConstantBufferOp, ViewOp, PackOp})
"""Ops that only say where memory is."""


@dataclass(eq=False, slots=True)
class PreparedStep:
    """A step with the op of the source that it names and the regions of its operands; what it does, and what the values
    of the op held when that was found out."""

    step: DestinationStyleBase
    op: Operation
    ins: Sequence[CellRegion]
    outs: Sequence[CellRegion]
    scratch: CellRegion | None
    form: Form | None = None
    known: Sequence[Contents | None] = ()


class StepChecker:
    """The memory of one lowered function, and its steps on it.

    Attributes:
        items: what there is to run in each block, in order: steps, and ops of control flow and of scalars.
        at: the op at hand, of which a refusal speaks.
    """

    def __init__(self, lowered: FuncOp, values: Values) -> None:
        self.values, self.lowered, self.memory = values, lowered, CellMemory(values.codes)
        self.items: dict[Block, list[PreparedStep | Operation]] = defaultdict(list)
        self.at: Operation = lowered
        self._regions: dict[SSAValue, CellRegion] = {}
        self._constants: list[tuple[ByteStorage, ConstantBufferOp]] = []
        self._named: dict[str, Operation] = {}

    def prepare(self, signature: Signature) -> None:
        """Looks at every op once.

        Raises:
            Refusal: a view or a step is not one.
            TooFine: the memory falls into too many cells.
        """
        for op in signature.source.body.walk():
            label = op.attributes.get(LABEL)
            if isinstance(label, StringAttr):
                self._named[label.data] = op
        for argument in self.lowered.body.blocks[0].args:
            if isinstance(argument.type, MemRefType):
                name, written = f"the memory of argument {argument.index}", argument.index in signature.writable
                self._buffer(argument, written, name)
        for op in signature.ops:
            self.at = op
            if type(op) is ArenaOp:
                if op.parent is not self.lowered.body.blocks[0] or any(s.name == ARENA for s in self.memory.storages):
                    raise Mismatch("a function has one arena, in its first block")
                self._buffer(op.memory, True, ARENA)
            elif type(op) is ConstantBufferOp:
                self._constants.append((self._buffer(op.memory, False, CONSTANT), op))
        for op in signature.ops:
            item = self._item(op)
            if item is not None and op.parent is not None:
                self.items[op.parent].append(item)
        self.at = self.lowered
        self._start = self.memory.seal()

    def _buffer(self, value: SSAValue, written: bool, name: str) -> ByteStorage:
        memory = memory_of(value.type)
        if not memory.layout.is_dense:
            raise Mismatch(f"{name} is not dense")
        nbytes = memory.layout.nbytes
        storage = self.memory.storage(value, nbytes, written, name)
        self._regions[value] = self.memory.region(storage, memory.layout, memory.dtype, (0, nbytes))
        return storage

    def region(self, value: SSAValue) -> CellRegion:
        """The bytes that a memref is; of packed weights, those that are packed.

        Raises:
            Refusal: there are none.
        """
        if value not in self._regions:
            self._regions[value] = self._locate(value)
        return self._regions[value]

    def _locate(self, value: SSAValue) -> CellRegion:
        if isinstance(value, OpResult) and isinstance(value.op, PackOp):
            source = self.region(value.op.source)
            if source.storage.written or source.storage.name != CONSTANT:
                raise Mismatch("only constants are packed")
            return source
        memory, offset, root = memory_of(value.type), 0, value
        while isinstance(root, OpResult) and isinstance(root.op, ViewOp):
            offset += root.op.byte_offset
            root = root.op.source
        whole = self._regions.get(root)
        if whole is None or whole.storage.root is not root:
            raise Mismatch("a view is of the arena, an argument of the function or a constant")
        buffer, layout = whole.storage, memory.layout.shifted(offset)
        low, high = layout.span
        if layout.elements and not 0 <= low <= high <= buffer.nbytes:
            raise Mismatch(f"bytes [{low}, {high}) are not in {buffer.name}, which has {buffer.nbytes}")
        return self.memory.region(buffer, layout, memory.dtype, (low, high))

    def _item(self, op: Operation) -> PreparedStep | Operation | None:
        """What there is to run of an op; None for one that only says where memory is."""
        self.at = op
        if type(op) in PLACES:
            return None
        if isinstance(op, DestinationStyleBase):
            return self._prepared(op)
        for value in op.operands:
            if isinstance(value.type, MemRefType):
                self.region(value)
        return op

    def _prepared(self, step: DestinationStyleBase) -> PreparedStep:
        label = step.attributes.get(LABEL)
        op = self._named.get(label.data) if isinstance(label, StringAttr) else None
        if op is None:
            raise Mismatch(f"it says of no op of the source that it computes it ({LABEL})")
        read, written, buffer = step.operand_groups()
        ins, outs = [self.region(v) for v in read], [self.region(v) for v in written]
        scratch = None if buffer is None else self.region(buffer)
        for region in (*outs, *(() if scratch is None else (scratch,))):
            if not region.storage.written and region.nbytes:
                raise Mismatch(f"it writes to {region.storage.name}, which is read-only")
            if (region.order is not None or region.starts is not None) and not region.layout.injective:
                raise Mismatch("it writes where some byte is several elements")
        if isinstance(step, BufferCopyOp):
            self._check_copy(ins, outs)
        _check_apart(outs, scratch, ins)
        return PreparedStep(step, op, ins, outs, scratch)

    @staticmethod
    def _check_copy(ins: Sequence[CellRegion], outs: Sequence[CellRegion]) -> None:
        if len(ins) != 1 or len(outs) != 1:
            raise Mismatch("a copy has one in and one out")
        (source,), (target,) = ins, outs
        if source.shape != target.shape or source.dtype != target.dtype:
            raise Mismatch("a copy has the same sizes and element type on both sides")
        if source.overlaps(target):
            raise Mismatch("a copy to bytes that it reads")

    def begin(self, arguments: Sequence[BlockArgument]) -> State:
        """The state at the start: memory of inputs holds the arguments of the source, a constant what it says."""
        state = self._start
        for source, lowered in zip(arguments, self.lowered.body.blocks[0].args, strict=False):
            if source in self.values.tensors:
                self.memory.write(state, self._regions[lowered], self.values.tensors[source].row)
        for buffer, op in self._constants:
            self.memory.write(state, self._regions[buffer.root], self.values.constant(op.value, buffer.nbytes))
        return state

    def run(self, item: PreparedStep, block: Block, state: State) -> None:
        """A step.

        Raises:
            Refusal: it does not compute the op that it names, or reads bytes that hold something else.
        """
        self.at = item.step
        if item.op.parent is not block:
            raise Mismatch("the op that it names is in another block")
        if isinstance(item.step, BufferCopyOp):
            self.memory.write(state, item.outs[0], self.memory.read(state, item.ins[0]))
            return
        form = self._form(item)
        if (
            isinstance(item.step, OneDnnMatmulOp)
            and item.step.beta is not None
            and not item.ins[item.step.own_count - 1].is_at(item.outs[0])
        ):
            raise Mismatch("what beta adds is not what is in its out")
        problem = self._first_wrong(state, item.ins, form.uses)
        if problem is not None and self._first_wrong(state, item.ins, form.exchanged or form.uses) is not None:
            use, bytes_ = problem
            self._refuse(item.ins[use.number], use.of, bytes_)
        _check_over(form, item)
        if item.scratch is not None:
            self.memory.clear(state, item.scratch)
        for region, row in zip(item.outs, form.makes, strict=True):
            self.memory.write(state, region, row)

    def _form(self, item: PreparedStep) -> Form:
        """What a step does: found out again only where values of its op hold something else than before."""
        op, tensors = item.op, self.values.tensors
        known = [tensors.get(v) for v in (*op.operands, *op.results)]
        if item.form is None or any(map(is_not, known, item.known)):
            item.form = form_of(item.step, StepOperands(op, item.ins, item.outs, self.values))
            item.known = known
        return item.form

    def require(self, state: State, region: CellRegion, row: Row, of: SSAValue) -> None:
        """Raises Refusal unless the region holds `row`, which is what `of` is."""
        mismatch = self.memory.find_mismatch(state, region, row)
        if mismatch is not None:
            self._refuse(region, of, mismatch)

    def _refuse(self, region: CellRegion, of: SSAValue | str, bytes_: tuple[int, int, int]) -> NoReturn:
        low, high, code = bytes_
        what = attrs.display_name(of) if isinstance(of, SSAValue) else of
        where = f"bytes [{low}, {high}) of {region.storage.name}"
        raise Mismatch(f"it reads {what} in {where}, which hold {self.values.codes.name(code)}")

    def _first_wrong(
        self, state: State, ins: Sequence[CellRegion], uses: Sequence[Use]
    ) -> tuple[Use, tuple[int, int, int]] | None:
        for use in uses:
            mismatch = self.memory.find_mismatch(state, ins[use.number], use.row)
            if mismatch is not None:
                return use, mismatch
        return None


def _check_apart(outs: Sequence[CellRegion], scratch: CellRegion | None, ins: Sequence[CellRegion]) -> None:
    """Outs are apart from each other, scratch from everything."""
    for number, region in enumerate(outs):
        if any(region.overlaps(other) for other in outs[:number]):
            raise Mismatch("two of its outs overlap")
    if scratch is not None and any(scratch.overlaps(region) for region in (*ins, *outs)):
        raise Mismatch("its scratch lies on what it reads or writes")


def _check_over(form: Form, item: PreparedStep) -> None:
    """An out lies apart from what is read, or exactly where the op allows it."""
    for number, out in enumerate(item.outs):
        hits = [use.number for use in form.uses if out.overlaps(item.ins[use.number])]
        if form.parts and hits:
            parts = {k for k, map_ in form.parts if k in hits and _is_part(item.ins[k], out, map_)}
            hits = [k for k in hits if k not in parts]
        if not hits:
            continue
        if not all(out.is_at(item.ins[k]) for k in hits):
            raise Mismatch(f"out {number} overlaps in {hits[0]} without being the same bytes")
        over = [k for k in hits if (number, k) in form.over]
        if not over or (len(hits) > 1 and not any((number, k) in form.repeats for k in over)):
            raise Mismatch(f"out {number} may not be written over in {hits[0]}")


def _is_part(region: CellRegion, out: CellRegion, map_: LayoutMap) -> bool:
    place = map_(out.layout)
    return place is not None and region.is_place(place)
