"""Memref forms with one mistake in a block that stands on an edge of its program, and programs with such forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from form_mutants import Mutation, mutated
from mutated_programs import A, program, sub
from xdsl.dialects import cf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from lastuse.dialect.ir.region_branches import branch_operands

PROGRAMS = {
    "a way around": program(
        f"""  cf.cond_br %c, ^then, ^join(%a : {A})
^then:
  {sub("%s", "%a", "%b", A)}
  cf.br ^join(%s : {A})
^join(%y: {A}):
  {sub("%z", "%a", "%y", A)}
  func.return %z : {A}""",
        A,
        kept="ab",
    ),
    "two ways to one block": program(
        f"""  cf.cond_br %c, ^join(%a : {A}), ^join(%b : {A})
^join(%y: {A}):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^then, ^end(%y : {A})
^then:
  %w = tensor.insert %v into %y[%i] : {A}
  cf.br ^end(%w : {A})
^end(%z: {A}):
  func.return %z : {A}""",
        A,
        kept="ab",
    ),
    "cases": program(
        f"""  %flag = arith.index_cast %k : index to i64
  cf.switch %flag : i64, [
    default: ^end(%a, %k : {A}, index),
    1: ^one,
    2: ^end(%b, %j : {A}, index)
  ]
^one:
  {sub("%s", "%a", "%b", A)}
  cf.br ^end(%s, %i : {A}, index)
^end(%y: {A}, %at: index):
  %w = tensor.insert %v into %y[%at] : {A}
  func.return %w : {A}""",
        A,
        kept="ab",
    ),
    "tensors that change places": program(
        f"""  cf.br ^head(%a, %b, %c0 : {A}, {A}, index)
^head(%s: {A}, %t: {A}, %p: index):
  %w = tensor.insert %v into %s[%p] : {A}
  %q = arith.addi %p, %c1 : index
  %more = arith.cmpi slt, %q, %c4 : index
  cf.cond_br %more, ^head(%t, %w, %q : {A}, {A}, index), ^done
^done:
  {sub("%z", "%w", "%t", A)}
  func.return %z : {A}""",
        A,
        kept="ab",
    ),
    "a loop that is left twice": program(
        f"""  cf.br ^head(%a, %c0 : {A}, index)
^head(%s: {A}, %p: index):
  %more = arith.cmpi slt, %p, %c3 : index
  {sub("%t", "%b", "%s", A)}
  cf.cond_br %more, ^body, ^end(%b : {A})
^body:
  %q = arith.addi %p, %c1 : index
  cf.cond_br %c, ^head(%t, %q : {A}, index), ^end(%t : {A})
^end(%y: {A}):
  %w = tensor.insert %v into %y[%i] : {A}
  func.return %w : {A}""",
        A,
        kept="ab",
    ),
}
"""Their arguments are those of `mutated_programs.PROGRAMS`."""


def edge_mutants(form: ModuleOp) -> Iterator[tuple[str, ModuleOp]]:
    """Copies of a form with one mistake each, and what it is."""
    return mutated(form, _mutations)


def is_on_edge(block: Block | None) -> bool:
    """Only one branch goes to the block, which has several successors, and the block goes on to one."""
    if block is None or not isinstance(block.last_op, cf.BranchOp):
        return False
    return len(before := _branches_to(block)) == 1 and len(before[0].successors) > 1


def _branches_to(block: Block) -> list[Operation]:
    """The branches to a block; one of them twice that goes there twice."""
    region = block.parent
    ends = [b.last_op for b in region.blocks if b.last_op is not None] if region is not None else []
    return [end for end in ends for after in end.successors if after is block]


def _mutations(op: Operation) -> Iterator[tuple[str, Mutation]]:
    on_edge = is_on_edge(op.parent) and op.parent_op() is not None
    if on_edge and not op.successors and not op.results:
        yield "left out on an edge", lambda o: o.detach()
        yield "moved from an edge before its branch", _move_before_branch
        yield "moved from an edge to its end", _move_to_target
    if on_edge and isinstance(op, cf.BranchOp):
        yield "without what an edge does", _leave_edge_out
        for k in range(len(op.operands)):
            for j in range(k):
                if op.operands[j].type == op.operands[k].type and op.operands[j] is not op.operands[k]:
                    yield f"operands {j} and {k} swapped on an edge", lambda o, j=j, k=k: _swap(o, j, k)
    ways = [*(branch_operands(op) or ())] if len(op.successors) > 1 else []
    for k, (block, given) in enumerate(ways):
        for j, (other, passed) in enumerate(ways[:k]):
            if block is other and [*given] == [*passed]:
                continue
            yield f"ways {j} and {k} swapped", lambda o, j=j, k=k: _put_ways(o, {j: k, k: j})
            yield f"way {k} is way {j}", lambda o, j=j, k=k: _put_ways(o, {k: j})
            yield f"way {j} is way {k}", lambda o, j=j, k=k: _put_ways(o, {j: k})


def _block_of(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent


def _move_before_branch(op: Operation) -> None:
    (branch,) = _branches_to(_block_of(op))
    op.detach()
    _block_of(branch).insert_op_before(op, branch)


def _move_to_target(op: Operation) -> None:
    last = _block_of(op).last_op
    assert isinstance(last, cf.BranchOp) and last.successor.first_op is not None
    first = last.successor.first_op
    op.detach()
    last.successor.insert_op_before(op, first)


def _leave_edge_out(op: Operation) -> None:
    """The branch goes where the edge leads to."""
    assert isinstance(op, cf.BranchOp)
    block = _block_of(op)
    (branch,) = _branches_to(block)
    ways = [(b, p) if b is not block else (op.successor, op.arguments) for b, p in branch_operands(branch) or ()]
    _put(branch, ways)


def _swap(op: Operation, j: int, k: int) -> None:
    op.operands[j], op.operands[k] = op.operands[k], op.operands[j]


def _put_ways(op: Operation, others: dict[int, int]) -> None:
    ways = [*(branch_operands(op) or ())]
    _put(op, [ways[others.get(n, n)] for n in range(len(ways))])


def _put(op: Operation, ways: Sequence[tuple[Block, Sequence[SSAValue]]]) -> None:
    """A branch with other ways is in the place of a branch."""
    block, (first, *rest) = _block_of(op), [(b, [*p]) for b, p in ways]
    if isinstance(op, cf.ConditionalBranchOp):
        made: Operation = cf.ConditionalBranchOp(op.cond, *first, *rest[0])
    else:
        assert isinstance(op, cf.SwitchOp)
        made = cf.SwitchOp(op.flag, *first, op.case_values, [b for b, _ in rest], [p for _, p in rest])
    block.insert_op_before(made, op)
    op.detach()
    op.erase()
