"""One function, from tensors with decisions to memrefs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, DictionaryAttr, FunctionType, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import block_ops, is_control, reverse_postorder
from lastuse.dialect.ir.region_contents import has_tensor, read_by
from lastuse.dialect.ir.remembered import is_a
from lastuse.dialect.storage.assignment import Place, PlaceKind, Storage
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import Contract, contract_of
from lastuse.dialect.storage.decisions import Decisions
from lastuse.dialect.storage.place_rules import dense
from lastuse.passes.analysis.reasons import Reason
from lastuse.passes.bufferization.boundary_moves import MemrefMove, move_all
from lastuse.passes.bufferization.call_results import CallResults
from lastuse.passes.bufferization.forms import form_of
from lastuse.passes.bufferization.function_state import FunctionState
from lastuse.passes.bufferization.memref_calls import bufferize_call
from lastuse.passes.bufferization.memref_control import bufferize_control
from lastuse.passes.bufferization.memref_types import Index
from lastuse.passes.bufferization.owned_values import carried_with, returned_from_arms
from lastuse.passes.bufferization.signatures import Boundary, MemrefSignature, ModuleConstants
from lastuse.passes.bufferization.unknown_sizes import UnknownMemoryError, of_known_rank

_OURS = ("dnn.", "bufferization.")


class FunctionBufferization(FunctionState):
    """Makes the memref form of one function.

    Args:
        callees: the signature of every function that may be called, by name; complete when `run` is called.
        constants: those of the module; new ones are added.
        functions: those that have a body, by name.
        carried: the decisions that the function carries, where they are known.
    """

    def __init__(
        self,
        func: FuncOp,
        boundary: Boundary,
        is_called: bool,
        callees: Mapping[str, MemrefSignature],
        constants: ModuleConstants,
        functions: Mapping[str, FuncOp],
        owned: frozenset[SSAValue] = frozenset(),
        carried: Decisions | None = None,
    ) -> None:
        super().__init__(func, is_called, CallResults(boundary, functions, callees, owned, carried))
        self._constants = constants

    def run(self) -> FuncOp:
        """The function on memrefs."""
        signature = self.own_signature
        old_blocks = reverse_postorder(self.func.body)
        blocks = {old: self.entry if n == 0 else self._block(old) for n, old in enumerate(old_blocks)}
        self.begin(self.func)
        self.open(blocks, signature)
        for old in old_blocks[:1]:
            self._ops(old)
        for old in old_blocks[1:]:
            with self.inside(self.blocks[old]):
                self._ops(old)
        self.finish()
        results = _own_attributes(self.func.res_attrs, len(self.func.function_type.outputs.data))
        inputs = [*_own_attributes(self.func.arg_attrs, len(old_blocks[0].args)), *(results[n] for n in self.outs)]
        made = FuncOp(
            self.func.sym_name.data,
            FunctionType.from_lists(signature.inputs, signature.outputs),
            Region([*self.blocks.values(), *self.edges]),
            self.func.sym_visibility,
            arg_attrs=_listed([*inputs, *[{}] * (len(signature.inputs) - len(inputs))]),
            res_attrs=_listed([entry for n, entry in enumerate(results) if n not in self.outs]),
        )
        made.attributes.update({k: v for k, v in self.func.attributes.items() if not k.startswith(_OURS)})
        return made

    def passed(self, source: SSAValue, target: SSAValue) -> SSAValue:
        if target in self.forwarded.owned:
            return self.passing.pop(target)
        return self.cast(self.memref(source), self.carried_type(target))

    # Forms

    def view(self, op: Operation, source: SSAValue) -> SSAValue:
        form = form_of(op)
        if form is None or form.view is None:
            raise self.no_form(op)
        made = form.view(op, source, self)
        if made is not source:
            made.name_hint = op.results[0].name_hint
        return made

    def part(self, op: Operation, operand: int, result: SSAValue) -> SSAValue:
        form = form_of(op)
        if form is None or form.part is None:
            raise self.no_form(op)
        return form.part(op, operand, result, self)

    def declared_sizes(self, op: Operation) -> list[Index] | None:
        form = form_of(op)
        return None if form is None or form.sizes is None else form.sizes(op, self)

    def _block(self, old: Block) -> Block:
        carried = [a for a in old.args if self.is_carried(a)]
        new = Block(arg_types=[self.carried_type(a) for a in carried])
        self.define(carried, new.args)
        return new

    def _ops(self, block: Block) -> None:
        for op in block_ops(block):
            self.op(op)

    def op(self, op: Operation) -> None:
        self.begin(op)
        self.take_for(op)
        is_last = op.next_op is None
        self._emit(op, is_last)
        if not is_last:
            self.give_back(op)

    def _emit(self, op: Operation, is_last: bool) -> None:
        contract, is_flow = contract_of(op), is_last or is_control(type(op))
        if is_last and isinstance(op, ReturnOp):
            self._return(op)
        elif is_a(op, CallOp):
            bufferize_call(op, self)
        elif contract.forwards and any(r in self.places.of and self.forwarded.is_forwarded(r) for r in op.results):
            self._choose(op, contract)
        elif contract.constant or contract.uninitialized or is_flow and bufferize_control(op, self):
            pass
        elif not has_tensor(op.results) and not has_tensor(read_by(op)):
            self.clone(op)
        else:
            self._on_tensors(op, contract)

    def _choose(self, op: Operation, contract: Contract) -> None:
        """An op of which a result is one of its operands: the same op on memrefs."""
        chosen = {k for _, k in contract.forwards}
        type_ = self.carried_type(op.results[0])
        operands = [
            self.cast(self.memref(v), type_) if k in chosen else self.scalar_of(v) for k, v in enumerate(op.operands)
        ]
        made = type(op).create(operands=operands, result_types=[type_])
        self.define(op.results, [self.emit(made)])

    def _on_tensors(self, op: Operation, contract: Contract) -> None:
        form, results = form_of(op), op.results
        if form is None:
            raise self.no_form(op)
        if results and (contract.given or contract.foreign) and self.is_made(results[0]):
            self.defined[results[0]] = self.view(op, self.value(op.operands[0]))
        elif contract.views and results and all(self.is_tensor(v) and self.is_derived(v) for v in results):
            for value in results:
                self.memref(value)
        elif form.compute is None:
            raise self.no_form(op)
        else:
            form.compute(op, self)

    def _return(self, op: ReturnOp) -> None:
        moves: list[MemrefMove] = []
        returned: list[SSAValue] = []
        shared: dict[int, int] = {}
        for n, value in enumerate(op.operands):
            if n not in self.results:
                returned.append(self.scalar_of(value))
                continue
            place = self.places.of[value]
            at_home = self.homes.get(place.storage) == n
            if n in self.outs:
                target = place if at_home else _out_place(self, n, value)
                moves.append(self._move(value, target, self.outs[n], n))
                continue
            if n in self.stand_ins:
                shared[len(returned)] = self.stand_ins[n]
                returned.append(value)
                continue
            type_ = self.own_signature.outputs[n]
            if (tied := self.tied_argument(n)) is not None:
                moves.append(self._move(value, self.places.of[tied], self.defined[tied], n))
                returned.append(self.cast(self.defined[tied], type_))
                continue
            made = self.memref(value)
            if not at_home and not self.stays(value, n):
                value = of_known_rank(value)
                made = self.new_memory(value, value.name_hint)
                moves.append(self._move(value, _out_place(self, n, value), made, n))
            returned.append(self.cast(made, type_))
        for n, other in shared.items():
            returned[n] = returned[other]
        move_all(op, moves, self)
        self.emit_last(op, ReturnOp(*returned))

    def _move(self, value: SSAValue, place: Place, target: SSAValue, number: int) -> MemrefMove:
        what = f"{display_name(value)} is copied into the memory of result {number}"
        kind = self.places.of[value].storage.kind
        reason = {PlaceKind.ARGUMENT: Reason.PROGRAM_INPUT, PlaceKind.CONSTANT: Reason.CONSTANT}.get(
            kind, Reason.RETURNED
        )
        return MemrefMove(value, place, target, what, reason)

    def constant(self, value: SSAValue) -> str:
        owner = value.owner
        assert isinstance(owner, Operation)
        content = next(
            (
                a
                for a in (*owner.properties.values(), *owner.attributes.values())
                if isinstance(a, DenseIntOrFPElementsAttr)
            ),
            None,
        )
        if content is None or not isinstance(value.type, TensorType):
            raise LastuseError("a constant whose content is not in the text has no memref form", owner)
        return self._constants.name_of(content, value.type)


def _out_place(to: FunctionState, number: int, value: SSAValue) -> Place:
    """The memory of a result that nothing else lies in."""
    key = len(to.func.body.blocks[0].args) + number
    return Place(Storage(PlaceKind.ARGUMENT, key), dense(to.places.sizes[value]))


def _own_attributes(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[dict[str, Attribute]]:
    """Those of the arguments or results of a function, without decisions."""
    entries = attributes.data if attributes is not None else [DictionaryAttr({})] * count
    return [{k: v for k, v in entry.data.items() if not k.startswith(_OURS)} for entry in entries]


def _listed(entries: Sequence[dict[str, Attribute]]) -> ArrayAttr[DictionaryAttr] | None:
    return ArrayAttr(map(DictionaryAttr, entries)) if any(entries) else None


def made_with_owned(
    made: FunctionBufferization,
    remade: Callable[[frozenset[SSAValue], Decisions | None], FunctionBufferization],
    owned: frozenset[SSAValue] = frozenset(),
) -> tuple[FunctionBufferization, FuncOp]:
    """The form of a function, and what made it: with values in memory of their own where a size is not known before.
    Values of one storage whose sizes cannot be compared are in a storage each if nothing else helps.

    Args:
        remade: makes another one with such values, and with other decisions than those that the function carries.
        owned: values that are in memory of their own anyway.

    Raises:
        LastuseError: an op has no form, or a size is not known anyway.
    """
    owned |= returned_from_arms(made)
    made = remade(owned, None) if owned else made
    decisions: Decisions | None = None
    while True:
        try:
            return made, made.run()
        except UnknownMemoryError as unknown:
            more = owned | carried_with(unknown.values)
            if more == owned:
                more |= carried_with(made.forwarded.hosted(unknown.values))
            if more != owned:
                owned = _with_forwarded(more, made)
            else:
                before = decisions or Decisions.of(made.func)
                decisions = before.without_numbers(unknown.values)
                if decisions == before:
                    raise
            made = remade(owned, decisions)


def _with_forwarded(owned: frozenset[SSAValue], made: FunctionBufferization) -> frozenset[SSAValue]:
    """With the values that are forwarded from those of them whose memory ends with a block in another op: arguments of
    blocks, and what is computed in a region."""
    while True:
        inner = [v for v in owned if isinstance(v, BlockArgument) or v.owner.parent_op() is not made.func]
        more = owned | carried_with(made.forwarded.hosted(inner))
        if more == owned:
            return owned
        owned = more
