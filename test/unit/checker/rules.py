"""Every rule of the semantics of storage, how to take it out of the code, and the test that then fails.

The numbers are those of the sections of docs/storage.md; section 8, what is best, belongs to the strategy `optimal` and
has its tests there. `LASTUSE_EFFORT=2 pytest test/unit/checker/test_rules.py` takes every rule out, one at a time.
"""

from __future__ import annotations

from typing import NamedTuple

EFFECTS, FLOW, BOUNDARY = "passes/checker/effects.py", "passes/checker/flow.py", "passes/checker/boundary.py"
FRAME, MEMORY = "passes/checker/frame.py", "passes/checker/memory.py"
PLACE, STORAGE, DECISIONS = "dialect/place.py", "dialect/storage.py", "dialect/decisions.py"


class Rule(NamedTuple):
    """A rule.

    Attributes:
        number: section, and the number in it.
        text: what it says.
        test: which test fails without it: a plan of `test_plans` or `test_flow`, or `file::function`.
        file, old, new: how it is taken out.
    """

    number: str
    text: str
    test: str
    file: str
    old: str
    new: str


# fmt: off
RULES = [
    # 1. The contract
    Rule("1.1", "a result is written over an operand only where that is declared", "no permission",
         EFFECTS, "    place, refused = frame.place(result), meets[0]\n", "    return None\n"),
    Rule("1.2", "and then on exactly the same bytes", "result half over its operand",
         EFFECTS, "return a.storage == b.storage and same_place(a.layout, b.layout)", "return True"),
    Rule("1.3", "of the same element type", "test_plans.py::test_another_element_type",
         EFFECTS, "if not same_type or not _exactly", "if not _exactly"),
    Rule("1.4", "same-index repeats: only where declared may other operands be those bytes too", "repeated operand",
         EFFECTS, "(over.repeats and _exactly(", "(_exactly("),
    Rule("1.5", "a view's result is bytes of its operand", "a view lies in what it is a view of",
         FRAME, "return value.op.operands[view.operand] if view is not None and self.is_true_view(value) else None",
         "return None"),
    Rule("1.6", "what is not injective is never written through", "broadcast",
         FRAME, "_bytes(whole.runs) != layout.nbytes", "False"),
    Rule("1.7", "a scatter does not read what its part covers", "a scatter heals what it covers",
         EFFECTS, "kept = _without(frame, frame.region(operand), ruins)", "kept = frame.region(operand)"),
    Rule("1.8", "a copy, a scatter, a concat read all they carry", "a part overwritten before it is joined",
         EFFECTS, "for m in moves if m.source is not None]", "for m in moves if False]"),
    Rule("1.9", "an operand that is not read need hold nothing", "what is not read need hold nothing",
         EFFECTS, "if k not in contract.unread and frame", "if frame"),
    Rule("1.10", "nothing declared: a result may be any part of any operand", "a borrowed value may be an operand",
         EFFECTS, "lends=guard(frame, results, (*sources, *hosts))", "lends=[]"),
    Rule("1.11", "scratch is a result that nobody reads", "scratch over a value in use",
         EFFECTS, "    effect.writes = [*effect.writes, (region, frame.memory.label(frozenset(), (op,)))]\n",
         "    pass\n"),
    Rule("1.12", "the engine decides what its kernels may do", "engine without permission",
         "dialect/dnn/attributes.py", "return engine_of(op) is Engine.CPU or op.primitive() is None", "return True"),
    Rule("1.13", "a permission of one engine is none for another", "test_plans.py::test_a_permission_of_one_engine",
         STORAGE, "if engines <= o.engines", "if True"),
    # 2. Storage and place
    Rule("2.1", "the caller's memory is read-only", "argument",
         FRAME, "storage.kind is StorageKind.ARGUMENT and storage.key not in self.writable", "False"),
    Rule("2.2", "unless a result is tied to it", "tied memory may be written",
         DECISIONS, "if a.index in tied or is_donated(a)", "if is_donated(a)"),
    Rule("2.3", "constants are read-only", "constant",
         FRAME, "if storage.kind is StorageKind.CONSTANT or (", "if False or ("),
    Rule("2.4", "the arena ends", "end of the arena",
         FRAME, "if region.storage.kind is StorageKind.ARENA:", "if False:"),
    Rule("2.5", "and so does an argument's memory", "more than the argument's memory",
         FRAME, "elif region.storage.kind is StorageKind.ARGUMENT:", "elif False:"),
    Rule("2.6", "two arguments are not one storage", "two arguments with one number",
         BOUNDARY, "if numbers.setdefault(number, argument) is not argument:", "if False:"),
    Rule("2.7", "place 1: a constant lies in memory of its own", "constant",
         PLACE, "if self._contract(op).constant:\n            return", "if False:\n            return"),
    Rule("2.8", "place 2: an offset is in the arena", "offset by 64",
         PLACE, "if self.planned and decisions.offsets(value.op)[value.index] >= 0:", "if False:"),
    Rule("2.9", "place 3: one number is one storage", "one number for two values in use",
         PLACE, "return self._storage(number) if number >= 0 else None", "return None"),
    Rule("2.10", "a number that an argument carries is the argument's memory",
         "an argument's number is the argument's memory",
         PLACE, "if argument is None else Storage(Kind.ARGUMENT, argument.index)", "if True else ARENA"),
    Rule("2.11", "place 4: in place is where the operand is", "used later",
         PLACE, "return Place(over.storage, layout)", "pass"),
    Rule("2.12", "place 5: a part is computed where it will be", "a part overwritten before it is joined",
         PLACE, "            place = self._part_place(value)\n", "            place = None\n"),
    Rule("2.13", "place 6: a view is where its operand is", "a view lies in what it is a view of",
         PLACE, "if layout is not None and (_is_dense(layout) or takes_strides(value)):", "if False:"),
    Rule("2.14", "place 7: everything else has storage of its own", "storages of their own",
         PLACE, "return Place(Storage(kind, value), dense(type_))", "return Place(Storage(kind), dense(type_))"),
    Rule("2.15", "the first rule that applies wins", "test_repair.py::test_void_decisions_are_named",
         PLACE, "        if numbered is not None:\n",
         "        if numbered is not None and decisions.inplace(op)[value.index] < 0:\n"),
    Rule("2.16", "what says otherwise is void, and named", "test_repair.py::test_void_decisions_are_named",
         PLACE, "    finder.note_void()\n", ""),
    Rule("2.17", "a view somewhere else is a copy", "a view with a place of its own, over a value in use",
         FRAME, "        if source.storage != target.storage:\n            return False\n", ""),
    # 3. Contents
    Rule("3.1", "what a pad fills is written", "what a pad fills over a value in use",
         EFFECTS, "moves.extend(_fill(frame, op, moves))", "pass"),
    Rule("3.2", "arguments hold their bytes from the start", "storages of their own",
         "passes/checker/__init__.py", "return [*arguments, *constants]", "return constants"),
    # 4. Execution
    Rule("4.1", "what a kernel reads must be there", "used later",
         EFFECTS, "reads = [read for v in dict.fromkeys(operands) for read in frame.read(v)]\n    reads +=",
         "reads = []\n    reads +="),
    Rule("4.2", "operands are read until the last byte is written", "no permission",
         EFFECTS, "    _check_kernel(frame, op, contract, written, whole)\n", ""),
    Rule("4.3", "a written byte holds the result and nothing else", "one number for two values in use",
         MEMORY, "        state[region.cell if region.cell >= 0 else region.cells] = label\n",
         "        self.add(state, region, next(iter(self.labels[label].tokens), 0))\n"),
    Rule("4.4", "dead results are written all the same", "a dead result over a value in use",
         EFFECTS, "written = [r for r in results if", "written = [r for r in results if r.uses and"),
    Rule("4.5", "results of one op are apart", "two results in one place, one of them dead",
         EFFECTS, "    if len(apart) > 1:\n", "    if False:\n"),
    Rule("4.6", "scratch is apart from what the op reads", "scratch over an operand",
         EFFECTS, "*((v, frame.region(v)) for v in operands)]", "]"),
    Rule("4.7", "and in the arena", "scratch past the end",
         EFFECTS, "if not in_order(region.high, frame.arena_bytes):", "if False:"),
    Rule("4.8", "every other operand is elsewhere", "a view lies in what it is a view of",
         EFFECTS, "        bad = [k for k in others if not (over", "        bad = [k for k in () if not (over"),
    Rule("4.9", "a piece in position is not copied", "pieces in position are not copied",
         EFFECTS, "here = same_storage and layout is not None and same_place(layout, source.layout)", "here = False"),
    Rule("4.10", "copies run in no order, without a buffer", "shifted scatter",
         EFFECTS, "    _check_copies(frame, op, moves)\n", ""),
    Rule("4.11", "a true view reads nothing", "a view of ruins that nobody reads",
         EFFECTS, "if not frame.has_bytes(result) or frame.is_true_view(result):", "if not frame.has_bytes(result):"),
    Rule("4.12", "no carrier writes read-only memory", "a concat into memory that is kept",
         EFFECTS, "            frame.check_write(op, result, region)\n", ""),
    Rule("4.13", "nothing is written over borrowed memory", "borrowed",
         FRAME, "self.report(Kind.BORROWED, op, value, region, written=value)", "pass"),
    Rule("4.14", "what is derived from a borrowed value ends with it", "borrowed of borrowed",
         EFFECTS, "*(inherited.hosts if inherited is not None else ())", "*()"),
    Rule("4.15", "a foreign op puts its results where it likes", "a foreign op is told a place",
         EFFECTS, "frame.report(Kind.FOREIGN_PLACED, op, result, region, written=result)", "pass"),
    # 5. Boundaries
    Rule("5.1", "what is moved must be there", "a stale name: the body yields what the slot has overwritten",
         BOUNDARY, "effect.reads = [*effect.reads, *frame.read(source)]", "pass"),
    Rule("5.2", "a pair in one place moves nothing", "a slot in memory that is kept, and never written",
         BOUNDARY, "        if here or again:\n", "        if again:\n"),
    Rule("5.3", "what moves is written", "a stale name: the body yields what the slot has overwritten",
         BOUNDARY, "effect.writes = [*effect.writes, (region, frame.label(target, op))]\n        moved",
         "effect.adds = [*effect.adds, (region, frame.token(target))]\n        moved"),
    Rule("5.4", "destinations of one move are apart", "two slots that change places",
         BOUNDARY, "again = _check_destinations(frame, op, source, target, region, moved)", "again = False"),
    Rule("5.5", "no move writes read-only memory", "a slot in an argument, moved into",
         BOUNDARY, "            frame.check_write(op, target, region)\n", ""),
    Rule("5.6", "scf.for: argument and result are one slot", "the old value after the new one is in the slot",
         PLACE, "        return op.results[argument.index - 1]\n", "        return None\n"),
    Rule("5.7", "a loop goes round again", "read in every turn",
         FLOW, "            if not self.memory.meet(state, back):\n", "            if True:\n"),
    Rule("5.8", "scf.while: in place is where it starts from", "a while: what it starts from is what it works on",
         PLACE, "        return over[0] if over else None\n", "        return None\n"),
    Rule("5.9", "scf.while: the condition moves", "a while: the slot is read after the condition has it",
         FLOW, "tested = self._moved(before, condition.operands[1:], op.results)", "tested = self.steps(before)"),
    Rule("5.10", "scf.if: both arms may have run", "one arm overwrites what is read after the if",
         FLOW, "                self.memory.meet(after, left)\n", "                after = left\n"),
    Rule("5.11", "cf: every way to a block counts", "blocks: the first of two ways overwrites",
         FLOW, "                    changed = self.memory.meet(before, arriving)\n",
         "                    entries[to], changed = arriving, False\n"),
    Rule("5.12", "cf: branches move into the arguments", "blocks: the argument's storage is that of a value in use",
         FLOW, "                self.apply(moves, arriving)\n", ""),
    Rule("5.13", "cf: predecessors that disagree void a number",
         "test_flow.py::test_branches_that_disagree_leave_the_slot_its_own",
         PLACE, "return numbers.pop() if len(numbers) == 1 else -1", "return min(numbers)"),
    Rule("5.14", "a given operand holds nothing after the call", "given away and read again",
         BOUNDARY, "    effect.writes = [*effect.writes, (region, frame.memory.label(frozenset(), (op,)))]\n",
         "    pass\n"),
    Rule("5.15", "and overlaps no other operand", "a given operand passed twice",
         BOUNDARY, "            frame.report_overlap(Kind.DONATED, op, operand, region, met, None)\n",
         "            pass\n"),
    Rule("5.16", "only what may be written is given", "an argument given away",
         BOUNDARY, "        frame.report(Kind.READ_ONLY, op, operand, region, also=found)\n", "        pass\n"),
    Rule("5.17", "a call's result may lie in what was given", "the result of a call in what was given to it",
         BOUNDARY, "        found += guards\n", ""),
    Rule("5.17a", "and so may what is written over that", "what is in place over a call's result is where that is",
         FRAME, "            self.guards[self.token(value)] = self.lent[region.storage]\n", "            pass\n"),
    Rule("5.17b", "read or not", "a call's result is written without being read",
         FLOW, "if region.storage in self.frame.lent:", "if False:"),
    Rule("5.18", "no recursion", "recursion",
         BOUNDARY, "                return first or op\n", "                return None\n"),
    Rule("5.19", "a callee without a body is foreign", "a call of nobody knows what",
         FRAME, "other.sym_name.data == op.callee.string_value() and other.body.blocks:",
         "other.sym_name.data == op.callee.string_value():"),
    Rule("5.20", "what is returned must be there", "returned",
         BOUNDARY, "return Effect(op, [r for v in tensors(frame, op.operands) for r in frame.read(v)])",
         "return Effect(op)"),
    Rule("5.21", "a tied result fits its argument", "tied to an argument of another size",
         BOUNDARY, "if not fits or ends", "if ends"),
    Rule("5.22", "and each has one of its own", "two results tied to one argument",
         BOUNDARY, "if not fits or ends.setdefault(tied, index) != index:", "if not fits:"),
    # 6. Details
    Rule("6.1", "what has no bytes overlaps nothing", "test_plans.py::test_a_plan_without_bytes_is_right",
         "passes/checker/runs.py", "    if not layout.elements:\n        return None\n", ""),
    Rule("6.2", "of unknown size: whole or nothing", "unknown sizes",
         MEMORY, "state[region.clobbers] = self.label(_NO_TOKENS, self.labels[label].writers)", "pass"),
    Rule("6.3", "in the order of every coefficient", "past the end, for each unit of a symbol",
         MEMORY, "all(c >= 0 for _, c in gap.terms)", "True"),
    Rule("6.4", "offsets are multiples of 64", "alignment",
         EFFECTS, "            frame.report(Kind.MISALIGNED, op, result, region)\n", "            pass\n"),
    Rule("6.5", "strides only where the op takes them", "columns for an op that takes none",
         EFFECTS, "    if contract.strided:\n        return\n", "    return\n"),
    Rule("6.6", "repair drops the decision that destroyed the byte",
         "test_repair.py::test_the_decision_that_destroyed_the_byte_goes",
         "passes/checker/repair.py", "next((d for d in first.decisions if holds(d)), None)",
         "next((d for d in first.decisions[::-1] if holds(d)), None)"),
    # 7. The checker
    Rule("7.1", "what meets is what both hold", "one arm overwrites what is read after the if",
         MEMORY, "self.label(tokens & others,", "self.label(tokens | others,"),
    Rule("7.2", "a region of an op nobody declared may run again", "a region of a foreign op runs again",
         FLOW, "changed |= self.memory.meet(state, after)", "pass"),
    Rule("7.3", "the message names reader, value, bytes and destroyer",
         "test_plans.py::test_message_names_reader_value_bytes_and_destroyer", "passes/checker/violation.py",
         '" or ".join(dict.fromkeys(_op(op) for op in self.destroyers)) or "another op"', '"another op"'),
    Rule("7.4", "and the path", "test_flow.py::test_the_path_is_told",
         FLOW, "path=path(op, writers)", "path=''"),
    Rule("7.5", "too many pieces are refused", "test_plans.py::test_too_many_pieces_are_refused_with_a_reason",
         "passes/checker/__init__.py", "frame.report(Kind.TOO_FINE, func)", "pass"),
]
# fmt: on
