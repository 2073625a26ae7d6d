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
alone. A kernel of the form is the next one of the program (`kernel_pairs.py`): it computes the same of each element, as
their bodies show op by op (`alike_bodies.py`), or what these compute (`op_meaning.py`), each operand that is read is
held by the memory it reads, and its results go where nothing is that it still reads.

**Meet.** What all paths agree about stays; memory that has on each path what goes into a slot there, holds the slot.
Loops run until nothing changes (`carried_loops.py`), and so do the blocks of `cf` (`block_graphs.py`), of which some
stand on an edge of the program (`edge_paths.py`). What a block says of sizes is known in the blocks that it dominates
(`block_facts.py`). Sizes that a loop changes are numbers of each turn, and memory that earlier turns took is a piece of
each carried memref. Carried memrefs may be one of several pieces; which of them are never the same bytes is proved on
each path. Sizes that the program has no meaning without are equal in the block that says so.

**Calls.** What a function writes of its parameters, and which of them a memref that it returns may be, is what its own
form was seen to do; a function without a body is taken at the word of `bufferization.access`.

**Then checked.** No argument that may not be written, and no constant, is; nothing is used after it was given back;
views end in their memory; each result holds at the return what the program returns. On each path, what the function
takes, or gets from a call, is given back, passed on while it is there, or returned. A memref that may be one of several
pieces is one of these where it is given back or passed on; the others are left to the memrefs beside it
(`piece_owners.py`).

A function without tensors that is the same ops as before is proved.

**Not proved.** Ops that are no loop nor known by name, or contents and sizes that are not shown to be those of the
program: the reason is returned, and nothing is said of the function. Wrong
whatever the program is, and an error: a write to memory that may not be written, a use of memory that was given back, a
view that ends behind its memory, unless the program has that slice of a tensor of this size, memory that is never given
back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.memref import GlobalOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.collection import paused_collection
from lastuse.dialect.ir.diagnostics import LastuseError, clone_located, op_name
from lastuse.dialect.ir.flow_graphs import values_within
from lastuse.dialect.ir.op_listing import OpListing
from lastuse.dialect.ir.remembered import unchanged_ops
from lastuse.dialect.ir.table_reads import may_read_tables, read_tables
from lastuse.dialect.ir.unranked_layout import lay_out_unranked, may_have_unranked
from lastuse.dialect.storage import attrs
from lastuse.passes.memref_checker.call_pairs import Summary, declared_summary
from lastuse.passes.memref_checker.kept_forms import prove
from lastuse.passes.memref_checker.memory_contents import NotModelled, Refused
from lastuse.passes.memref_checker.side_by_side import SideBySide
from lastuse.passes.memref_checker.term_table import TermTable

__all__ = ["Unproved", "check", "check_form"]

_FOREIGN_FORM = (VerifyException, KeyError, ValueError, IndexError, AssertionError)
"""What comes of ops that are not of the forms that are known: operands of other kinds, or of other numbers."""


class Unproved(NamedTuple):
    """A function that is not proved, the op of its form where that is seen, and why."""

    func: FuncOp
    at: Operation
    reason: str


def check_form(source: ModuleOp, form: ModuleOp) -> None:
    """Proves that the functions of a module on memrefs compute what those on tensors in `source` do.

    Raises:
        LastuseError: one does not, or is not shown to; at the op of the form.
    """

    def unproved(functions: Sequence[FuncOp], form: ModuleOp) -> Iterator[LastuseError]:
        declared = [op for op in source.ops if isinstance(op, FuncOp) and not op.body.blocks]
        for func, at, reason in check(functions, form, declared):
            yield LastuseError(f"the memref form of @{func.sym_name.data} is not proved: {reason}", at)

    with paused_collection():
        listing = OpListing(source)
        if may_read_tables(listing) or may_have_unranked(listing):
            source = clone_located(source)
            read_tables(OpListing(source))
            lay_out_unranked(OpListing(source))
        with unchanged_ops():
            prove(source, form, unproved)


def check(sources: Sequence[FuncOp], form: ModuleOp, declared: Sequence[FuncOp] = ()) -> list[Unproved]:
    """Proves that the functions of a module on memrefs compute what those on tensors did; those that are not proved
    are returned.

    Args:
        sources: the functions on tensors, each before those that call it.
        declared: those without a body.

    Raises:
        LastuseError: a function uses memory in a way that is wrong whatever it computes; at the op of the form.
    """
    functions = {op.sym_name.data: op for op in form.ops if isinstance(op, FuncOp) and op.body.blocks}
    summaries = {op.sym_name.data: declared_summary(op) for op in declared}
    globals_ = {op.sym_name.data: str(op.initial_value) for op in form.ops if isinstance(op, GlobalOp)}
    unproved: list[Unproved] = []
    for source in sources:
        made = functions[source.sym_name.data]
        if _is_left_alone(source, made):
            summaries[source.sym_name.data] = Summary(frozenset(), (), ())
            continue
        kept = set(range(len(source.function_type.inputs))) - set(attrs.writable_arguments(source))
        contents, known = TermTable(), -1
        failed: Unproved | None = None
        while len(contents.always) > known:  # sizes of results that are seen at the return alone, once more from there
            known = len(contents.always)
            both = SideBySide(source, made, kept, summaries, globals_, contents)
            try:
                summaries[source.sym_name.data] = both.run()
                failed = None
                break
            except (NotModelled, *_FOREIGN_FORM) as reason:
                why = str(reason) if isinstance(reason, NotModelled) else f"'{op_name(both.at)}' is not known"
                failed = Unproved(made, both.at, why)
            except Refused as refusal:
                raise LastuseError(f"the memref form is wrong: '{op_name(both.at)}': {refusal}", both.at) from refusal
        unproved += [failed] if failed is not None else []
    return unproved


def _is_left_alone(source: FuncOp, made: FuncOp) -> bool:
    """The function has no tensors, and the form is the same ops. A call of it that passes memrefs is not proved."""
    if source.function_type != made.function_type:
        return False
    has_tensors = any(isinstance(value.type, TensorType) for value in values_within(source))
    return not has_tensors and source.body.is_structurally_equivalent(made.body)
