"""The checker of lowering: does a lowered module compute what its source says? Independent of what lowered it.

It imports the ops' declarations (`lastuse.dialect`), nothing of `passes/lowering/`, of the choice of steps, nor of the
rules of places. What the module was lowered from stands beside it (`onednn.source`), and each step names an op there.

**Codes.** A code is one byte that some op computes: the results of a kernel, the arguments and the constants have codes
of their own. What only moves bytes, a view, a concat, a scatter, holds codes of its operands. So the source is a map
from each value to a row of codes, whatever memory is (`source_values.py`). Codes in another order, or of several values
one after the other, have a range of numbers too, so a row is one number (`codes.py`): a transposed value costs what
any other one does. Ranges that differ are compared byte by byte of what they stand for.

**State.** byte -> code, of every storage: the arena, the arguments' memory, the constants. Nothing holds anything at
first but the inputs and the constants. Bytes that no view tells apart are one cell, in whatever order a view shows
them (`cells.py`).

**Transfer.** Source and lowered function run side by side, block by block (`lockstep.py`):

| what | requires | writes |
|---|---|---|
| kernel, primitive | it computes its op (`step_matching.py`); ins hold its operands | outs: results; scratch: none |
| copy | | what it copies |
| region op, branch | it is that of the source, on scalars with the codes of the source's | what paths meet to |
| call | operands hold the source's; what the callee writes is apart | results; what is given away: nothing |
| return | each result's memory holds the codes of what the source returns | |

**Meet.** A byte that all paths agree about stays. Where paths differ, a slot of the source gets codes of its own; a
byte that has on each path just what goes into one byte of a slot there, holds that byte; any other one nothing of use
(`meet.py`). Loops and blocks run in rounds until nothing changes. A code dies with the turn of the loop that made it,
for the path from outside has none of that turn's codes.

**Then checked.** Within one step: outs are apart from each other and from scratch, and lie on an in only where the op
allows it, on exactly the same bytes. Nothing is written to constants, nor to inputs that are neither donated nor tied.
Views are in their buffers. Frames of functions that may run together are apart. Arguments and results have the sizes,
types and names of the source's.

**Not accepted although right.** Equal bytes that were computed twice; control flow in another order than the source's.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.collection import paused_collection
from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.ir.remembered import Answers, unchanged_ops
from lastuse.dialect.onednn.source import LABEL, source_of
from lastuse.passes.checker.runs import TooFine
from lastuse.passes.lowering_checker.call_boundary import check_frames
from lastuse.passes.lowering_checker.lockstep import Lockstep
from lastuse.passes.lowering_checker.signature import Mismatch, Signature, signature_of
from lastuse.passes.lowering_checker.source_values import Values
from lastuse.passes.lowering_checker.steps import StepChecker

__all__ = ["check"]


def check(module: ModuleOp) -> None:
    """Proves that every lowered function of a module computes what its source says.

    Raises:
        LastuseError: it does not, or the module does not say what it was lowered from; at the step that reads other
            bytes than its op, or is none of that op.
    """
    source = source_of(module)
    lowered = functions_of(module)
    if source is None:
        if lowered:
            hint = "--bufferize-pass=source=keep says it of a memref form"
            raise LastuseError(f"the module does not say what it was lowered from (onednn.source); {hint}", module)
        return
    functions = source.functions
    if set(functions) != set(lowered):
        raise LastuseError("the module has other functions than its source", source)
    signatures: dict[str, Signature] = {}
    with paused_collection(), unchanged_ops(Answers()):
        at: Operation = module
        try:
            for name, at in lowered.items():
                signatures[name] = signature_of(functions[name], at)
            at = module
            check_frames(signatures)
        except (Mismatch, VerifyException) as refusal:
            raise LastuseError(str(refusal), at) from refusal
        for signature in signatures.values():
            _check(signature, signatures)


def _check(signature: Signature, functions: Mapping[str, Signature]) -> None:
    values = Values()
    steps = StepChecker(signature.lowered, values)
    try:
        arguments = signature.source.body.blocks[0].args
        values.slots(arguments)
        steps.prepare(signature)
        flow = Lockstep(signature, steps, values, functions)
        flow.function(steps.begin(arguments))
    except TooFine as refusal:
        raise LastuseError("its memory falls into too many pieces to be checked", signature.lowered) from refusal
    except (Mismatch, VerifyException) as refusal:
        raise LastuseError(f"{_name(steps.at)}: {refusal}", steps.at) from refusal


def _name(op: Operation) -> str:
    """A step with the op that it says it computes."""
    label = op.attributes.get(LABEL)
    return op_name(op) if label is None else f"{op_name(op)} of {label}"
