"""What lowering would copy of a function, foreign ops included: a lowering of which the copies alone are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, ModuleOp, UnregisteredOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, clone_located
from lastuse.dialect.ir.flow_graphs import called_from, callee_of, functions_of, functions_of_module, is_called
from lastuse.dialect.ir.tensor_types import Dim
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.dialect.storage.specialization import specialize, unknown_sizes
from lastuse.passes.analysis.reasons import Reason, copied_into
from lastuse.passes.lowering.context import LoweredCopy
from lastuse.passes.lowering.data_movement_ops import lower_data_movement
from lastuse.passes.lowering.function import FunctionLowering

FIRST_SIZE, STEP = 61, 7
"""What unknown sizes are taken for: numbers of which none is another one's multiple."""
_VALUE = UnregisteredOp.with_name("lastuse.value")


class Expected(NamedTuple):
    """A copy of a function that is not lowered yet; `nbytes` is a polynomial where sizes are not known, None for some
    bytes of a value of such sizes."""

    copy: LoweredCopy
    nbytes: Dim | None


def expected_copies(func: FuncOp) -> list[Expected] | None:
    """The copies of a function under its decisions, in the order of its ops, one for each that lowering would emit.

    None where lowering refuses the function: control never leaves it, a size of it has no bounds, no kernel
    computes with its elements.
    """
    functions = functions_of_module(func)
    called = is_called(func)
    named = unknown_sizes(func)
    if not named:
        copies = _copies(func, functions, called)
        return None if copies is None else [Expected(copy, copy.nbytes) for copy in copies]
    copy, *others = (clone_located(f) for f in called_from(func, functions).values())
    probe = ModuleOp([copy, *others])
    around = func.parent_op()
    if isinstance(around, ModuleOp):
        resources.share(probe, around)
    try:
        specialize(probe, {copy: {name: FIRST_SIZE + STEP * n for n, name in enumerate(named)}})
    except LastuseError:
        return None
    copies, sizes = _copies(copy, functions_of(probe), called), infer_shapes(func)
    if copies is None:
        return None
    ops = dict(zip(copy.walk(), func.walk(), strict=True))
    values = {new: old for a, b in ops.items() for new, old in zip(_values(a), _values(b), strict=True)}
    expected: list[Expected] = []
    for lowered_copy in copies:
        value = values[lowered_copy.value]
        whole = lowered_copy.nbytes == infer_shapes(copy)[lowered_copy.value].bytes
        by = ops.get(lowered_copy.by, lowered_copy.by) if lowered_copy.by is not None else None
        moved = lowered_copy._replace(op=ops[lowered_copy.op], value=value, by=by)
        expected.append(Expected(moved, sizes[value].bytes if whole else None))
    return expected


def _values(op: Operation) -> list[SSAValue]:
    return [*op.results, *(a for region in op.regions for block in region.blocks for a in block.args)]


def _copies(func: FuncOp, functions: Mapping[str, FuncOp], called: bool) -> list[LoweredCopy] | None:
    try:
        lowering = Rehearsal(func, functions, called)
        lowering.lower()
    except (LastuseError, ValueError):  # of elements of a type that no kernel computes with
        return None
    return lowering.copies


class Rehearsal(FunctionLowering):
    """A lowering that goes on where nothing of ours runs an op."""

    def op(self, op: Operation) -> None:
        contract = contract_of(op)
        if op.dialect_name() in OURS and not (isinstance(op, CallOp) and callee_of(op) not in self.functions):
            super().op(op)
            return
        self.begin(op)
        results = [v for v in op.results if not self.is_tensor(v)]
        stands = _VALUE.create(result_types=[v.type for v in results])
        self.emit.add(stands)
        self.define(op.results, stands.results)
        if contract.constant:
            content = [a for a in (*op.properties.values(), *op.attributes.values()) if isinstance(a, CONTENT)]
            if not content:
                raise LastuseError("a constant without a value", op)
            for value in op.results:
                self.constant(value, content[0])
        elif contract.foreign:
            for k in sorted(contract.copies):
                value = op.operands[k]
                nbytes = self.operand(value).layout.nbytes
                what = copied_into(value, op.results[0])
                self.copies.append(LoweredCopy(op, what, nbytes, Reason.OFFSET, value))
        elif (contract.views or contract.contributions) and all(map(self.is_tensor, op.operands)):
            ins, outs = [self.operand(v) for v in op.operands], [self.operand(v) for v in op.results]
            lower_data_movement(op, contract, ins, outs, self)


CONTENT = (DenseIntOrFPElementsAttr, DenseResourceAttr)
OURS = frozenset({"dnn", "func", "scf", "cf"})
