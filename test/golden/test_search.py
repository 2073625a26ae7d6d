"""What the search for the optimum sees on programs that are kept: what can be decided, what stands against what, where
values would lie, what it would be objective, and how often it had to look.

That a bound holds is asked of every set that is tried; the rest is a line for each program in `search.txt`, to the
letter. After a change that is meant: `LASTUSE_GOLDEN=write pytest test/golden`.
"""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from toy import generate
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.analysis.op_numbering import NumberedOps
from lastuse.passes.checker.repair import repair
from lastuse.passes.inplace_analysis.optimal.assignment import Assignment
from lastuse.passes.inplace_analysis.optimal.component_choices import Component
from lastuse.passes.inplace_analysis.optimal.conflicts import Conflicts
from lastuse.passes.inplace_analysis.optimal.last_reads import LastReads
from lastuse.passes.inplace_analysis.optimal.objective import Objective
from lastuse.passes.inplace_analysis.optimal.search import ChoiceSearch
from lastuse.passes.inplace_analysis.optimal.variables import Variables

HERE = Path(__file__).parent
WRITE = os.environ.get("LASTUSE_GOLDEN") == "write"
PROGRAMS = sorted((HERE / "decided").glob("*.mlir"))
TOYS = (*range(40), 125, 237)
SETS = 6
"""So many sets of decisions are tried of a component."""


class Seen:
    """What is seen of one program, in words; values and ops are numbers, in program order."""

    def __init__(self, program: NumberedOps) -> None:
        self.program, self.reads = program, LastReads(program)
        self.number = {v: n for n, v in enumerate(self.reads.values)}
        self.variables = Variables(self.reads, True)
        self.words: list[object] = [self._reads()]
        self.right = self.tried = 0
        for component in self.variables.components:
            self._component(component)

    def _n(self, value: SSAValue | None) -> int:
        return self.number.get(value, -1) if value is not None else -1

    def _reads(self) -> list[object]:
        reads = self.reads
        needs = [n for v in reads.values for n in reads.needs.get(v, ())]
        blocks = {b: n for n, b in enumerate(dict.fromkeys(op.parent_block() for op in self.program.ops))}
        return [
            [
                (self._n(reads.origin(v)), reads.static(v), reads.born(v), reads.accepts_strides(v))
                for v in reads.values
            ],
            [[self._n(b) for b in reads.borrowers(v)] for v in reads.values],
            [
                (self._n(n.value), n.contribution is not None, self._n(n.view), n.born, n.until)
                + tuple(sorted((number, t) for b, number in blocks.items() if b and (t := n.last_in(b)) >= 0))
                for n in needs
            ],
        ]

    def _component(self, component: Component) -> None:
        at = self.program.at
        choices = [self.variables.choices[n] for n in component.choices]
        search = ChoiceSearch(self.variables, component)
        self.words += [
            [self._n(v) for v in component.values],
            [(a.kind.value, at[a.op], *a[2:4], self._n(a.source), self._n(a.target), a.swap) for a in choices],
            [
                (
                    (m.contribution.operand if m.contribution is not None else -1, m.bytes, m.way),
                    self._n(m.source),
                    self._n(m.target),
                )
                for op in component.ops
                for m in self.variables.movements(op)
            ],
            [sorted(wrong.choices) for wrong in search.nogoods],
        ]
        for taken in self._sets(component):
            self._try(search, frozenset(taken))
        found = search.run()
        self.words += [sorted(found.choices), found.score, found.proved, search.looks, search.steps]

    def _sets(self, component: Component) -> Iterator[list[int]]:
        draw = random.Random(len(component.choices))
        yield component.choices
        yield []
        for _ in range(SETS - 2):
            yield [n for n in component.choices if draw.random() < 0.6]

    def _try(self, search: ChoiceSearch, taken: frozenset[int]) -> None:
        assignment = Assignment(self.variables, search.component, taken)
        nogoods, objective = Conflicts(assignment).nogoods, Objective(assignment)
        score, dropped = objective.score(), search.all - taken
        pairs = [unless for unless in nogoods.values() if unless and self._inside(unless, search)]
        apart = search.bound.apart(pairs, taken)
        known = [wrong.choices for wrong in search.nogoods if wrong.holds(dropped)]
        bounds = [search.bound.of(dropped, kept, known) for kept in (frozenset[int](), taken)]
        self.tried += 1
        if not nogoods:
            self.right += 1
            assert all(score <= bound for bound in bounds), "better than its bound"
        self.words += [
            sorted(taken),
            [(self._n(v), self._n(assignment.at[v][0]), assignment.at[v][1]) for v in search.component.values],
            sorted(self._n(v) for v in assignment.copies),
            sorted((self._n(a), self._n(b)) for a, b in assignment.joined.items()),
            sorted((sorted(blame), [self._n(v) for v in unless or ()]) for blame, unless in nogoods.items()),
            [sorted(apart[pair]) for pair in pairs],
            (score, objective.returned(), (objective.returned_anyway(),) * 2, objective.temporaries(), bounds),
        ]

    def _inside(self, values: Iterable[SSAValue], search: ChoiceSearch) -> bool:
        return all(v in search.bound.index for v in values)

    def line(self) -> str:
        digest = hashlib.sha256("\n".join(map(str, self.words)).encode()).hexdigest()[:12]
        choices, components = len(self.variables.choices), len(self.variables.components)
        return f"{choices} atoms in {components} components, {self.right} of {self.tried} sets right, {digest}"


def functions() -> Iterator[tuple[str, FuncOp]]:
    """Kept programs, undecided; and ops that are contracts alone, every other one with decisions."""
    for path in PROGRAMS[::2]:
        module = parse(context(), path.read_text(), path.name)
        for func in [op for op in module.walk() if isinstance(op, FuncOp) and op.body.blocks]:
            yield f"{path.stem} {func.sym_name.data}", func
    for seed in TOYS:
        func = generate(seed, decided=seed % 2 > 0)
        repair(func)
        yield f"{seed}", func


def test_what_the_search_sees() -> None:
    path = HERE / "search.txt"
    found = {name: Seen(program).line() for name, func in functions() if (program := NumberedOps.of(func)) is not None}
    if WRITE:
        path.write_text("".join(f"{name}: {line}\n" for name, line in found.items()))
    want = dict(line.split(": ", 1) for line in path.read_text().splitlines())
    assert found == want
