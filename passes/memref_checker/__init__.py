"""The checker of memref forms: does a function on memrefs compute what the function on tensors did?

It imports the declarations of ops (`lastuse.dialect`), nothing of what makes the form, nor of the rules of places, the
decisions or their checker.

**Terms.** A value of the program is a term: an argument, the result of a kernel, a slot of a loop or branch, a part of
a tensor, or a tensor of which a part is another one. Offsets and sizes are polynomials over numbers that are known at
run time (`term_table.py`, `index_terms.py`).

**State.** Memory is pieces: arguments, what was taken at once, ranges of an arena, memrefs that control flow carries.
Each holds a term (`memory_contents.py`). A memref is a piece and the slices and shapes through which it is seen. Writes
replace that part of the term, and whatever may be the same bytes holds nothing of use after.

**Transfer.** Both forms run side by side (`side_by_side.py`). Views and moves of either form change its own terms
alone. A kernel of the form is the next one of the program: it computes the same of each element (`op_meaning.py`), each
operand that is read is held by the memory it reads, and its results go where nothing is that it still reads.

**Meet.** What all paths agree about stays; memory that has on each path what goes into a slot there, holds the slot.
Loops run until nothing changes (`joins.py`). Carried memrefs may be one of several pieces; which of them are never the
same bytes is proved on each path.

**Calls.** What a function writes of its parameters, and which of them a memref that it returns may be, is what its own
form was seen to do; a function without a body is taken at the word of `bufferization.access`.

**Then checked.** No argument that may not be written, and no constant, is; nothing is used after it was given back;
views end in their memory; each result holds at the return what the program returns.

**Not proved.** Branches of `cf`, memory that callees without a body return, ops that are no loop nor known by name, or
contents and sizes that are not shown to be those of the program: the reason is returned, and nothing is said of the
function. Wrong whatever the program is, and an error: a write to memory that may not be written, a use of memory that
was given back, a view that ends behind its memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.memref import GlobalOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError, op_name
from lastuse.dialect.storage import attrs
from lastuse.passes.memref_checker.call_pairs import declared_summary
from lastuse.passes.memref_checker.memory_contents import NotModelled, Refused
from lastuse.passes.memref_checker.side_by_side import SideBySide

__all__ = ["Unproved", "check"]

_FOREIGN_FORM = (VerifyException, KeyError, ValueError, IndexError, AssertionError)
"""What comes of ops that are not of the forms that are known: operands of other kinds, or of other numbers."""


class Unproved(NamedTuple):
    """A function that is not proved, the op of its form where that is seen, and why."""

    func: FuncOp
    at: Operation
    reason: str


def check(sources: Sequence[FuncOp], form: ModuleOp) -> list[Unproved]:
    """Proves that the functions of a module on memrefs compute what those on tensors did; those that are not proved
    are returned.

    Args:
        sources: the functions on tensors, each before those that call it.

    Raises:
        LastuseError: a function uses memory in a way that is wrong whatever it computes; at the op of the form.
    """
    functions = {op.sym_name.data: op for op in form.ops if isinstance(op, FuncOp) and op.body.blocks}
    globals_ = {op.sym_name.data: str(op.initial_value) for op in form.ops if isinstance(op, GlobalOp)}
    declared = (op for op in form.ops if isinstance(op, FuncOp) and not op.body.blocks)
    summaries = {op.sym_name.data: declared_summary(op) for op in declared}
    unproved: list[Unproved] = []
    for source in sources:
        made = functions[source.sym_name.data]
        kept = set(range(len(source.function_type.inputs))) - set(attrs.writable_arguments(source))
        both = SideBySide(source, made, kept, summaries, globals_)
        try:
            summaries[source.sym_name.data] = both.run()
        except (NotModelled, *_FOREIGN_FORM) as reason:
            why = str(reason) if isinstance(reason, NotModelled) else f"'{op_name(both.at)}' is not known"
            unproved.append(Unproved(made, both.at, why))
        except Refused as refusal:
            raise LastuseError(f"the memref form is wrong: '{op_name(both.at)}': {refusal}", both.at) from refusal
    return unproved
