"""The checker: is a plan right? Independent of what made it.

It imports the ops' declarations and the rules of places (`lastuse.dialect`), nothing of the analyses, the planner or
the deciding passes, and trusts none of them.

**Values and bytes.** A value that is not a true view has bytes of its own: it is an argument, a constant, a result of
a kernel, of a data-movement op (a copy, a scatter, a concat), of a foreign op, or a slot of a region op or block. A
true view names some of another value's bytes; it reads nothing and requires nothing. Every value has one place,
whatever path is taken, but for those in *forwarded* storages.

**Forwarded storages.** A forwarded value opens a storage that is the place of another value: of the operand that the
path taken gave it. A *binding* says which place each is. The function's nodes are taken once for each binding that
reaches them (`interpretation.py`), and every rule is applied to the places that the binding gives; paths with different
bindings meet nowhere, those with equal ones do. A boundary, or an op of which a result is one operand, binds: it
requires the operand, and the operand's bytes then hold the target too. Two values lie at one place by decision only if
the rules of places say so: where a binding puts others on the same bytes, they overlap. No more than 64 bindings at a
node; where there are more, sets of forwarded storages are taken apart that no storage is a candidate of in common:
whatever is done to a byte is then done under bindings of one set alone.

**State.** byte -> set of values; `v` is in the set of a byte where the byte holds what the current instance of `v` has
there. As a value has one place this says all there is to say: no offsets, and no second place to forget. The order is
superset; nothing holds anything at first but the arguments and the constants.

**Transfer.** Every op, and every boundary, first requires, then writes, then adds:

| what | requires | writes (the sets become) | adds |
|---|---|---|---|
| kernel | all bytes of the operands it reads | results: {result}; scratch: {} | |
| data-movement op | all bytes it moves | bytes not in place: {result} | bytes already in place: result |
| true view | nothing | | |
| foreign op | all operands and captures | results: {result} | bytes some result may be: a guard |
| boundary | all sources | destinations not in place: {slot} | destinations already in place: slot |
| call | all operands | results: {result}; given operands: {} | as foreign, for what a result is lent from |
| return | all that is returned | | |

Reading a borrowed value also requires its guard on every byte it may be: a write there takes the guard away.

**Meet.** Intersection, byte by byte. Arms of an if meet after it; a loop repeats H := H meet back edge until H stays;
cf blocks are a worklist in reverse post-order, where a predecessor not yet visited is top. States only fall, so an
error in any round is final.

**Slices at run-time offsets.** A part whose offsets or sizes are index values has one cell, and so has the value
without it: a write to any other bytes ruins it unless they are proved to be apart (`apart.py`). When a block begins
that defines one of these index values, the cell holds what all around it holds (`slices.py`).

**Then checked.** A required byte holds its value. Within one op: results are apart; a result lies on an operand only
where the contract permits it, on exactly the same bytes, and on no other operand (or exactly there too, where repeats
are allowed); no copy lands on a source; scratch is apart from everything; no write reaches read-only or borrowed memory
or the end of the arena; offsets are multiples of 64; strides only where the op takes them.

**Not accepted although right.** Bytes ruined and then, by a copy of equal content, right again: the checker knows them
by the value they were written as. Sizes that are unknown and equal by luck. A boundary that copies over bytes which
only a binding shows to be those of another source or target of it: lowering puts copies in an order by places alone.

**Form.** Bytes that no place tells apart are one cell (`memory.py`); a state is one array of int32; a place is a slice
of it, or, at strides, an index array. A straight line costs O(ops + cells of their places).
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.dialect.ir.collection import paused_collection
from lastuse.passes.checker.boundary import check_slots, check_ties, recursive
from lastuse.passes.checker.control_flow import FlowBuilder
from lastuse.passes.checker.function_model import FunctionModel
from lastuse.passes.checker.interpretation import AbstractInterpreter, with_bindings
from lastuse.passes.checker.runs import TooFine
from lastuse.passes.checker.violation import Decision, Violation, ViolationKind

__all__ = ["Decision", "Violation", "ViolationKind", "check"]


def check(func: FuncOp) -> list[Violation]:
    """All that is wrong with the decisions `func` carries, in the order it was found; [] for a right plan.

    A function without a body is right. Reads the IR and changes nothing.
    """
    if func.body.blocks.first is None:
        return []
    with paused_collection():
        frame = FunctionModel(func)
        try:
            _check(frame)
        except TooFine:
            frame.report(ViolationKind.TOO_FINE, func)
        return frame.violations


def _check(frame: FunctionModel) -> None:
    func = frame.function
    call = recursive(func, frame)
    if call is not None:
        frame.report(ViolationKind.RECURSION, call)
        return
    check_ties(frame)
    check_slots(frame)
    flow = FlowBuilder(frame)
    flow.region(func.body, flow.node())
    rows = with_bindings(frame, flow.nodes)
    frame.bindings.now = {}
    frame.settle_guards()
    held = [(frame.region(v), frame.memory.label(frozenset({frame.token(v)}), ())) for v in _initial_values(frame)]
    state = frame.memory.seal()
    for region, label in held:
        if region is not None:
            frame.memory.write(state, region, label)
    for nodes in rows:
        frame.memory.revive()
        AbstractInterpreter(frame).run(nodes, state.copy() if len(rows) > 1 else state)


def _initial_values(frame: FunctionModel) -> list[SSAValue]:
    """Values that are there before the first op: arguments and constants."""
    arguments = [a for a in frame.arguments if frame.has_bytes(a)]
    constants = [r for op in frame.ops if op.results and frame.contract(op).constant for r in op.results]
    return [*arguments, *constants]
