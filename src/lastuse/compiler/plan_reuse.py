"""Further sizes: what was decided for some is carried over to all others.

Taken over are the order of ops, what is in place, and the order in which places were given. Each buffer then lies at
the lowest place where it meets none of those before it, so nothing is searched for; where all sizes grow alike, the
arena does too. Nothing is trusted: for every set of sizes the checker proves the result, and one that it refuses is
decided anew.

Refining a module may leave other ops for some sizes than for others. Decisions are carried over between modules that
have the same ops with the same operands, whatever the attributes of these.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from lastuse.compiler.module_utils import clone, erase_uncalled
from lastuse.compiler.pipeline import Pipeline
from lastuse.compiler.size_template import Derived, SizeTemplate
from lastuse.dialect.ir.diagnostics import LastuseError, RemarkKind, remark
from lastuse.dialect.ir.flow_graphs import functions_of, main_function
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.layout import ALIGNMENT
from lastuse.passes.memory.allocation_problem import AllocationProblem, allocation_problem
from lastuse.passes.memory.frame_layout import planned_bytes
from lastuse.passes.memory.given_plan import GivenPlan
from lastuse.passes.memory_plan import put_plan
from lastuse.passes.planning import planner
from lastuse.passes.scheduling.reorder import apply_order
from lastuse.passes.transforms.simplify import fold_into_consumers
from lastuse.passes.verify_storage import VerifyStoragePass
from lastuse.runtime import _core
from lastuse.runtime.weights import PackedWeights

SLACK = 16
"""Of what is live at once, an arena in an earlier order has at most a 16th more; else places are sought anew."""
SMALL = 1 << 16
"""Bytes by which decisions may be worse than others and count as being as good."""
FAR: Sequence[int] = (64, 8, 2)
"""How many times as large the sizes are that decisions are tried with, the first for which the module makes sense."""
LARGE = 4096
"""What the largest of these sizes is at the first try, or more: what is small at all sizes does not count there."""
LONGEST = 1 << 18
"""Elements along an axis of a value at these sizes: primitives of convolutions over longer rows take seconds each."""
TRIES = 3
"""How often decisions are sought that serve all sizes; where there are none, every set has its own."""
MOST_ORDERS = 4
"""Orders of places that are tried: those of the plans made last."""

MOST_STRUCTURES = 4
"""Structures of specialized modules for which decisions are kept: the latest ones."""

_Structure = tuple[Hashable, ...]
_Order = Mapping[Hashable, int]
"""The places of an earlier plan, by what has them."""


class PlanReuse:
    """
    Decided modules of one module with unknown sizes, a set of sizes after the other.

    The first set is decided, and when another one comes, a set many times as large. If what was decided for one of the
    two serves the other as well, it serves all. If not, this is tried again with the next set. All of this is done for
    each structure that specialized modules have.
    """

    def __init__(self, pipeline: Pipeline, module: ModuleOp, weights: PackedWeights) -> None:
        self._pipeline, self._weights = pipeline, weights
        self._module = clone(module)
        erase_uncalled(self._module)
        self._families: OrderedDict[_Structure, _Family] = OrderedDict()
        self._replayed: tuple[ModuleOp, SizeTemplate] | None = None

    def module(self, sizes: Mapping[str, int]) -> ModuleOp:
        """The module with these sizes, decided, planned and checked. Raises LastuseError where they do not fit it."""
        module = self._specialized(sizes)
        structure = _structure(module)
        family = self._families.setdefault(structure, _Family())
        self._families.move_to_end(structure)
        if len(self._families) > MOST_STRUCTURES:
            self._families.popitem(last=False)
        last, compare = family.last, False
        if family.kept is None and last is not None and family.tries:
            family.tries -= 1
            far = self._far(last, structure)
            family.kept = self._common(last, far) if far is not None else None
            compare = far is None
        if family.kept is not None:
            replayed = self._replay(family.kept, module)
            if replayed is not None:
                if family.template is None and self._pipeline.options.derive_sizes:
                    family.template = SizeTemplate(self._pipeline, self._module, self._weights)
                self._replayed = (replayed, family.template) if family.template is not None else None
                return replayed
            module = self._specialized(sizes)
        family.last = self._decided(module, sizes)
        if compare and last is not None and family.last is not None:
            family.kept = self._common(last, family.last)
        return module

    def learn(
        self, sizes: Mapping[str, int], module: ModuleOp, engines: Mapping[str, int], core: _core.StepProgram
    ) -> None:
        """Notes that what `module` returned last has been compiled to `core`, with so many steps of each engine."""
        if self._replayed is not None and self._replayed[0] is module and not self._pipeline.ctx.wants_remarks:
            self._replayed[1].learn(sizes, module, _names, engines, core)
        self._replayed = None

    def derived(self, sizes: Mapping[str, int]) -> tuple[Derived, Callable[[], ModuleOp]] | None:
        """The program for these sizes, derived from others, and what gives the planned module of it; None where it has
        to be compiled."""
        for family in () if self._pipeline.ctx.wants_remarks else self._families.values():
            kept, template = family.kept, family.template
            if kept is None or template is None:
                continue
            name = main_function(self._module).sym_name.data
            orders = kept.orders.setdefault(name, [])
            derived = template.derive(
                sizes, lambda names, buffers, orders=orders: _placed(names, buffers, orders, True)
            )
            if derived is not None:
                return derived, partial(self._with_plan, sizes, kept, derived.plan)
        return None

    def probe(self, sizes: Mapping[str, int]) -> Mapping[str, int] | None:
        """Sizes to compile before these, so that the program for these is derived; None where there are none."""
        templates = () if self._pipeline.ctx.wants_remarks else [family.template for family in self._families.values()]
        found = (template.probe(sizes) for template in templates if template is not None)
        return next((other for other in found if other is not None), None)

    def _with_plan(self, sizes: Mapping[str, int], kept: _Decided, plan: planner.Plan) -> ModuleOp:
        """The module with these sizes, by what was decided for others and with these places, checked."""
        module = self._specialized(sizes)
        _carry(kept, module)
        self._pipeline.measure_scratch(module)
        func = main_function(module)
        problem = allocation_problem(func)
        assert problem is not None
        put_plan(func, problem, plan)
        VerifyStoragePass().apply(self._pipeline.ctx, module)
        return module

    def _specialized(self, sizes: Mapping[str, int]) -> ModuleOp:
        """The module with these sizes, nothing decided."""
        module = clone(self._module)
        self._pipeline.specialize(module, sizes)
        if self._pipeline.options.inplace:
            fold_into_consumers(module)
        return module

    def _specialized_if_valid(self, sizes: Mapping[str, int]) -> ModuleOp | None:
        """The module with these sizes; None where it makes no sense for them: some are bound to something else, or an
        axis is too long."""
        try:
            module = self._specialized(sizes)
        except LastuseError:
            return None
        return module if _longest_axis(module) <= LONGEST else None

    def _far(self, near: _Decided, structure: _Structure) -> _Decided | None:
        """What is decided for much larger sizes for which the module has this structure; None where there are none."""
        for sizes, module in self._larger(near.sizes):
            if _structure(module) == structure:
                with suppress(LastuseError):  # a primitive has no such sizes
                    return self._decided(module, sizes)
        return None

    def _larger(self, sizes: Mapping[str, int]) -> Iterator[tuple[Mapping[str, int], ModuleOp]]:
        """Larger sizes for which the module makes sense, with the module, the largest ones first. Where it makes none
        for the largest of all, those sizes grow that may each by itself."""
        times, others = max(FAR[0], -(-LARGE // max(1, *sizes.values()))), list(FAR[1:])
        scaled = _scaled(sizes, sizes.keys(), times)
        module = self._specialized_if_valid(scaled)
        names = list(sizes)
        if module is not None:
            yield scaled, module
        else:
            names = [n for n in sizes if self._specialized_if_valid(_scaled(sizes, [n], FAR[-1])) is not None]
            if len(names) < len(sizes):
                others.insert(0, times)
        for times in others if names else ():
            scaled = _scaled(sizes, names, times)
            if (module := self._specialized_if_valid(scaled)) is not None:
                yield scaled, module

    def _common(self, near: _Decided, far: _Decided) -> _Decided | None:
        """That of the two which serves the sizes of the other one as well as what was decided for them."""
        pairs = ((near, far), (far, near))
        costs = [(cost, kept) for kept, other in pairs if (cost := self._cost(kept, other)) is not None]
        return min(costs, key=lambda pair: pair[0], default=(0, None))[1]

    def _cost(self, kept: _Decided, other: _Decided) -> int | None:
        """Bytes that the sizes of `other` take more by what is `kept`; None where it serves them badly."""
        module = self._replay(kept, clone(other.source), slack=False)
        more = _arena(module) - other.arena_bytes if module is not None else None
        return more if more is not None and more <= max(other.arena_bytes // SLACK, SMALL) else None

    def _decided(self, module: ModuleOp, sizes: Mapping[str, int]) -> _Decided | None:
        """Decides a specialized module; what can be carried over, None where deciding made other ops."""
        source = clone(module)
        numbers = {op: number for number, op in enumerate(module.walk())}
        self._pipeline.decide(module)
        if set(module.walk()) != set(numbers):
            return None
        return _Decided(source, module, numbers, dict(sizes), _arena(module))

    def _replay(self, kept: _Decided, module: ModuleOp, slack: bool = True) -> ModuleOp | None:
        """A specialized module of the same structure, by what was decided for others; None where the checker refuses
        that, or it has no plan."""
        _carry(kept, module)
        self._pipeline.measure_scratch(module)
        for func in functions_of(module).values():
            problem = allocation_problem(func)
            if problem is None:
                return None
            self._place(func, problem, kept.orders.setdefault(func.sym_name.data, []), slack)
        try:
            VerifyStoragePass().apply(self._pipeline.ctx, module)
        except LastuseError:
            return None
        return module

    def _place(self, func: FuncOp, problem: AllocationProblem, orders: list[_Order], slack: bool) -> None:
        """Writes places into a function that has all else."""
        placed = _placed(_names(problem), problem.buffers, orders, slack)
        put_plan(func, problem, placed)
        figures = planner.describe(placed.peak, placed.bound, placed.proof)
        remark(self._pipeline.ctx, RemarkKind.DECISION, func, f"the arena has {figures}; decided as for other sizes")


@dataclass(frozen=True)
class _Decided:
    """
    What was decided for a set of sizes.

    Attributes:
        source: the module with these sizes before it was decided.
        module: after it.
        numbers: for each op of `module` its number in the walk of `source`.
        sizes: by name.
        arena_bytes: what they take.
    """

    source: ModuleOp
    module: ModuleOp
    numbers: Mapping[Operation, int]
    sizes: Mapping[str, int]
    arena_bytes: int

    @cached_property
    def orders(self) -> dict[str, list[_Order]]:
        """Orders of places, by the name of the function: that of the module, until others are found. Many programs run
        with one set of sizes only, and never ask."""
        return {name: list(filter(None, [_order(func)])) for name, func in functions_of(self.module).items()}


@dataclass
class _Family:
    """What is known of the sizes for which the module has one structure.

    Attributes:
        last: what was decided last.
        kept: what serves all sizes.
        tries: how often such decisions are still sought.
        template: derives programs for further sizes from those that were compiled by what is kept.
    """

    last: _Decided | None = None
    kept: _Decided | None = None
    tries: int = TRIES
    template: SizeTemplate | None = None


def _placed(
    named: Sequence[Hashable], buffers: Sequence[planner.Buffer], orders: list[_Order], slack: bool
) -> planner.Plan:
    """Places for buffers of these names, in the best of some orders; or sought anew, as a further order."""
    placed: planner.Plan | None = None
    for order in orders:
        # What had no place then, having had no bytes, comes last.
        numbers = sorted(range(len(named)), key=lambda n: (named[n] not in order, order.get(named[n], 0), n))
        tried = planner.first_fit(buffers, numbers, alignment=ALIGNMENT)
        placed = tried if placed is None or tried.peak < placed.peak else placed
    if placed is None or placed.peak - placed.bound > (placed.bound // SLACK if slack else 0):
        placed = planner.plan(buffers, alignment=ALIGNMENT)
        orders.insert(0, dict(zip(named, placed.offsets, strict=True)))
        del orders[MOST_ORDERS:]
    return placed


def _scaled(sizes: Mapping[str, int], names: Collection[str], times: int) -> dict[str, int]:
    return {name: max(1, size) * times if name in names else size for name, size in sizes.items()}


def _longest_axis(module: ModuleOp) -> int:
    """The most elements that a value has along an axis."""
    types = (result.type for op in module.walk() for result in op.results)
    return max((n for type_ in types if isinstance(type_, TensorType) for n in type_.get_shape()), default=0)


def _structure(module: ModuleOp) -> _Structure:
    """The ops of a module in the order of the walk, each with what it reads, and the blocks of its regions."""
    ops = list(module.walk())
    blocks = [block for op in ops for region in op.regions for block in region.blocks]
    block_numbers = {block: number for number, block in enumerate(blocks)}
    results = [value for op in ops for value in op.results]
    arguments = [value for block in blocks for value in block.args]
    numbers: dict[SSAValue, int] = {value: number for number, value in enumerate([*results, *arguments])}
    return tuple(
        (
            op.name,
            tuple(numbers[operand] for operand in op.operands),
            len(op.results),
            tuple(block_numbers[block] for block in op.successors),
            tuple(tuple((len(block.args), len(block.ops)) for block in region.blocks) for region in op.regions),
        )
        for op in ops
    )


def _carry(kept: _Decided, module: ModuleOp) -> None:
    """Gives the ops of a module of the same structure the order and the decisions that were kept, places apart."""
    ops = list(module.walk())
    for op, number in kept.numbers.items():
        target = ops[number]
        for region, other in zip(op.regions, target.regions, strict=True):
            for block, same in zip(region.blocks, other.blocks, strict=True):
                apply_order(same, [ops[kept.numbers[inner]] for inner in block.ops])
        for name in attrs.PLACES:
            target.attributes.pop(name, None)
            if name in op.attributes and name not in attrs.PLAN:
                target.attributes[name] = op.attributes[name]


def _arena(module: ModuleOp) -> int:
    """Bytes of the arenas of all functions; of one without a plan, none."""
    return sum(planned_bytes(func) or 0 for func in functions_of(module).values())


def _order(func: FuncOp) -> _Order:
    """The places of a function, none without a plan or without bytes."""
    problem = allocation_problem(func)
    if problem is None or planned_bytes(func) is None:
        return {}
    places = zip(_names(problem), GivenPlan.of(func).fixed(problem), strict=True)
    return {name: offset for name, offset in places if offset is not None}


def _names(problem: AllocationProblem) -> list[Hashable]:
    """A name for each buffer, the same in all copies of a function."""
    number: dict[Operation | SSAValue, int] = {}
    for op in problem.model.program.func.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for owner in (op, *op.results, *arguments):
            number[owner] = len(number)
    return [
        ("temporary", buffer.first) if owner is None else number[owner[0] if isinstance(owner, tuple) else owner]
        for owner, buffer in zip(problem.owners, problem.buffers, strict=True)
    ]
