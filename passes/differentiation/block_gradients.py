"""Gradients of the ops of one block, and of the branches and loops in it.

The forward part of a branch or of a loop's body keeps none of its values. The gradient of an `scf.if` is an `scf.if` on
the same condition: each arm runs the arm's forward part again, as far as its gradients read it, and then these. That of
an `scf.for` is an `scf.for` of as many trips, which takes the iterations from the last one to the first. Iteration
arguments that it reads are kept, one row for each iteration; what else it reads of an iteration is computed again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.ir.diagnostics import LastuseError, inherit, op_name
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import contract_of


class BlockGradients:
    """The gradients of values, as far as the ops of one block and of the regions in it give them.

    Attributes:
        needed: the values that have a gradient; those of ops that run again are added.
        builder: adds ops behind those of the block.
        known: the gradient of each value so far.
    """

    def __init__(self, needed: set[SSAValue], builder: GradientBuilder) -> None:
        self.needed, self.builder = needed, builder
        builder.needed = needed
        self.known: dict[SSAValue, SSAValue] = {}

    def differentiate(self, op: Operation) -> None:
        """Adds the gradients of what an op reads to those known; the gradients of its results are complete.

        Raises:
            LastuseError: the op has no gradient.
        """
        results = [self.known.get(result) for result in op.results]
        if all(gradient is None for gradient in results):
            return
        self.builder.origin = op
        match op:
            case scf.IfOp():
                self._branch(op, results)
            case scf.ForOp():
                self._loop(op, results)
            case DnnOp():
                if any(operand in self.needed for operand in op.operands):
                    for operand, gradient in zip(op.operands, op.gradient(results, self.builder), strict=True):
                        self.add(operand, gradient)
            case _:
                raise LastuseError(f"'{op_name(op)}' has no gradient", op)

    def add(self, value: SSAValue, gradient: SSAValue | None) -> None:
        """Adds a gradient to what other uses of the value have given it, and names the sum after the value."""
        if gradient is None or value not in self.needed:
            return
        known = self.known.get(value)
        if known is not None:
            known.name_hint = None
            gradient = self.builder.emit("add", known, gradient)
        if gradient.name_hint is None and value.name_hint is not None:
            gradient.name_hint = f"{value.name_hint}_grad"
        self.known[value] = gradient

    # Branches

    def _branch(self, op: scf.IfOp, results: Sequence[SSAValue | None]) -> None:
        """Values that an arm captures get their gradients as results of another branch, zeros from an arm that gives
        none."""
        blocks, arms = [Block() for _ in op.regions], [BlockGradients(self.needed, self.builder) for _ in op.regions]
        for arm, region, block in zip(arms, op.regions, blocks, strict=True):
            with self.builder.inserting(InsertPoint.at_end(block)):
                arm.run_back(region.block, {}, results)
        reached = [value for value in self._captured(op) if any(value in arm.known for arm in arms)]
        if not reached:
            return
        self.builder.origin = op
        for arm, block in zip(arms, blocks, strict=True):
            with self.builder.inserting(InsertPoint.at_end(block)):
                gradients = [arm.known.get(value) or self.builder.zeros(value) for value in reached]
                self.builder.insert(scf.YieldOp(*gradients))
            _erase_dead(block)
        types = [value.type for value in reached]
        choice = self.builder.insert(scf.IfOp(op.cond, types, Region(blocks[0]), Region(blocks[1])))
        for value, gradient in zip(reached, choice.results, strict=True):
            self.builder.describe(gradient, value)
            self.add(value, gradient)

    # Loops

    def _loop(self, op: scf.ForOp, results: Sequence[SSAValue | None]) -> None:
        """The new loop carries the gradients of iteration arguments, and sums those of values that the body captures.
        The value of the induction variable in an iteration is `ends` less that of the new one."""
        builder, arguments = self.builder, op.body.block.args[1:]
        trips, ends = _trips(op)
        if trips == 0:
            for initial, gradient in zip(op.iter_args, results, strict=True):
                self.add(initial, gradient)
            return
        block, body = Block(arg_types=[op.lb.type]), BlockGradients(self.needed, builder)
        carried = [k for k, argument in enumerate(arguments) if results[k] or argument in self.needed]
        gradients = [self._argument(block, a) if k in carried else None for k, a in enumerate(arguments)]
        sums = {value: self._argument(block, value) for value in self._captured(op)}
        copies = {a: self._argument(block, a) for a in op.body.block.args}
        self.needed.update(copies[argument] for argument in arguments if argument in self.needed)
        body.known |= sums
        with builder.inserting(InsertPoint.at_end(block)):
            body.run_back(op.body.block, {**copies}, gradients)
            builder.origin = op
            reached = [value for value, zero in sums.items() if body.known[value] is not zero]
            before = [body.known.get(copies[arguments[k]]) for k in carried]
            before = [found or builder.zeros(gradients[k]) for found, k in zip(before, carried, strict=True)]  # pyright: ignore
            builder.insert(scf.YieldOp(*before, *(body.known[value] for value in reached)))
        _erase_dead(block)
        initial = [results[k] or builder.zeros(op.results[k]) for k in carried]
        initial += [self.known.get(value) or builder.zeros(value) for value in reached]
        if copies[op.body.block.args[0]].first_use is not None:
            self._turn_round(block, copies[op.body.block.args[0]], ends)
        if kept := [argument for argument in arguments if copies[argument].first_use is not None]:
            one, rows = self._keep(op, kept, trips)
            initial.append(builder.integers([trips - 1]))
            self._read_back(block, one, zip(rows, (copies[argument] for argument in kept), strict=True))
        for unused in [*copies.values(), *(zero for value, zero in sums.items() if value not in reached)]:
            block.erase_arg(unused)
        loop = builder.insert(scf.ForOp(op.lb, op.ub, op.step, initial, block))
        for argument, gradient in zip(loop.body.block.args[1:], loop.results, strict=True):
            builder.describe(gradient, argument)
        for value, gradient in zip(reached, loop.results[len(carried) :], strict=False):
            self.known[value] = gradient
        for k, gradient in zip(carried, loop.results, strict=False):
            self.add(op.iter_args[k], gradient)

    def _argument(self, block: Block, like: SSAValue) -> BlockArgument:
        """One more argument of a block, for a value like another one."""
        argument = block.insert_arg(like.type, len(block.args))
        self.builder.describe(argument, like)
        return argument

    def _turn_round(self, block: Block, variable: SSAValue, ends: int) -> None:
        """Replaces the copy of an induction variable by what it is in the iteration that is taken back."""
        with self.builder.inserting(InsertPoint.at_start(block)):
            both = self.builder.insert(arith.ConstantOp(IntegerAttr(ends, variable.type)))  # pyright: ignore
            variable.replace_all_uses_with(self.builder.insert(arith.SubiOp(both, block.args[0])).result)

    def _keep(self, op: scf.ForOp, kept: Sequence[BlockArgument], trips: int) -> tuple[SSAValue, Sequence[SSAValue]]:
        """Replaces a loop by one that writes what iteration arguments are into rows, too.

        Returns:
            The number 1, and for each of `kept` its rows.

        Raises:
            LastuseError: one of them is no tensor, or its size is not known.
        """
        builder, block = self.builder, op.body.block
        for argument in kept:
            if not isinstance(argument.type, TensorType):
                name = argument.name_hint or f"iteration argument {argument.index - 1}"
                raise LastuseError(f"the gradient of 'scf.for' reads {name}, and it keeps tensors alone", op)
        with builder.inserting(InsertPoint.before(op)):
            first, one = builder.integers([0]), builder.integers([1])
            rows = [builder.blank((trips, *builder.known_shape(a)), builder.info(a).dtype) for a in kept]
        counter, *inside = [self._argument(block, value) for value in (first, *rows)]
        with builder.inserting(InsertPoint.at_start(block)):
            place = builder.emit("reshape", counter, shape=[1, 1])
            parts = [builder.emit("unsqueeze", argument, axes=[0]) for argument in kept]
            written = [builder.emit("scatter_nd", row, place, part) for row, part in zip(inside, parts, strict=True)]
        last = block.last_op
        assert last is not None
        with builder.inserting(InsertPoint.before(last)):
            last.operands = [*last.operands, builder.emit("add", counter, one), *written]
        with builder.inserting(InsertPoint.before(op)):
            initial = [*op.iter_args, first, *rows]
            loop = builder.insert(scf.ForOp(op.lb, op.ub, op.step, initial, op.detach_region(op.body)))
        loop.attributes = _named(op, loop)
        for old, new in zip(op.results, loop.results, strict=False):
            builder.describe(new, old)
        for new, like in zip(loop.results[len(op.results) :], (first, *rows), strict=True):
            builder.describe(new, like)
        results = loop.results[len(op.results) + 1 :]
        Rewriter.replace_op(op, [], loop.results[: len(op.results)])
        return one, results

    def _read_back(self, block: Block, one: SSAValue, rows: Iterable[tuple[SSAValue, SSAValue]]) -> None:
        """Counts the iterations of a new loop down, and takes what its body reads of each from rows that are kept."""
        builder, last = self.builder, block.last_op
        assert last is not None
        counter = self._argument(block, one)
        with builder.inserting(InsertPoint.at_start(block)):
            for kept, value in rows:
                found = builder.emit("squeeze", builder.emit("gather", kept, counter), axes=[0])
                found.name_hint = value.name_hint
                value.replace_all_uses_with(found)
        with builder.inserting(InsertPoint.before(last)):
            last.operands = [*last.operands, builder.emit("sub", counter, one)]

    # Regions

    def _captured(self, op: Operation) -> list[SSAValue]:
        """The values that need a gradient and that regions of an op read from outside, in program order."""
        inner = [other for other in op.walk() if other is not op]
        inside = {value for other in op.walk() for value in _defined(other)}
        read = dict.fromkeys(operand for other in inner for operand in other.operands)
        return [value for value in read if value in self.needed and value not in inside]

    def run_back(self, block: Block, copies: dict[SSAValue, SSAValue], gradients: Sequence[SSAValue | None]) -> None:
        """Adds the ops of another block again but for its terminator, and behind these their gradients.

        Args:
            copies: what the block's arguments are for the ops that are added.
            gradients: of what the terminator passes on.
        """
        last = block.last_op
        ops = [self._copy(op, copies) for op in block.ops if op is not last]
        for value, gradient in zip(last.operands if last is not None else (), gradients, strict=True):
            self.add(copies.get(value, value), gradient)
        for op in reversed(ops):
            self.differentiate(op)

    def _copy(self, op: Operation, copies: dict[SSAValue, SSAValue]) -> Operation:
        """Adds an op again, on what its operands are there."""
        copy = op.clone(copies)
        self.builder.origin = op
        self.builder.insert(copy)
        for old, new in zip(op.walk(), copy.walk(), strict=True):
            inherit(new, old)
            for before, after in zip(_defined(old), _defined(new), strict=True):
                self.builder.describe(after, before)
                if before in self.needed:
                    self.needed.add(after)
        form = with_saved_results(copy, self.needed)
        if form is not copy:
            for old, new in zip(op.results, form.results, strict=False):
                copies[old] = new
                self.builder.describe(new, old)
                if old in self.needed:
                    self.needed.add(new)
        return form


def with_saved_results(op: Operation, needed: Container[SSAValue]) -> Operation:
    """An op, replaced by one with further results if its gradient reads results that it does not have."""
    form = op.training_form() if isinstance(op, DnnOp) and any(r in needed for r in op.results) else None
    if form is None:
        return op
    inherit(form, op)
    form.attributes |= _named(op, form)
    Rewriter.replace_op(op, form, form.results[: len(op.results)])
    return form


def _named(op: Operation, form: Operation) -> dict[str, Attribute]:
    """The attributes of an op, for one that has further results: names for these too."""
    attributes = dict(op.attributes)
    if isinstance(names := attributes.get(attrs.NAMES), ArrayAttr):
        saved = [StringAttr(f"{op.name}.saved{k}") for k in range(len(form.results) - len(op.results))]
        attributes[attrs.NAMES] = ArrayAttr([*names.data, *saved])
    return attributes


def _erase_dead(block: Block) -> None:
    """Erases the ops of a block that runs again whose results no op uses.

    Raises:
        LastuseError: another op may do more than make its results: it would do that twice.
    """
    for op in reversed([op for op in block.ops if op is not block.last_op]):
        if all(result.first_use is None for result in op.results):
            op.detach()
            op.erase()
            continue
        for inner in op.walk():
            pure = would_be_trivially_dead(inner) or contract_of(inner).pure
            if not (pure or inner.regions or inner.has_trait(IsTerminator, value_if_unregistered=False)):
                raise LastuseError(f"'{op_name(inner)}' would run again for a gradient, and may have effects", inner)


def _defined(op: Operation) -> list[SSAValue]:
    return [*op.results, *(argument for region in op.regions for block in region.blocks for argument in block.args)]


def _trips(op: scf.ForOp) -> tuple[int, int]:
    """How often the body of a loop runs, and the sum of the first and the last value of its induction variable.

    Raises:
        LastuseError: that is not known.
    """
    numbers: list[int] = []
    for value in (op.lb, op.ub, op.step):
        constant = value.owner.value if isinstance(value.owner, arith.ConstantOp) else None
        if not isinstance(constant, IntegerAttr):
            raise LastuseError("'scf.for' has a gradient only if its bounds and its step are constants", op)
        numbers.append(constant.value.data)
    start, end, step = numbers
    if step <= 0:
        raise LastuseError(f"'scf.for' has a gradient only if its step is above 0, not {step}", op)
    trips = max(0, -((start - end) // step))
    return trips, 2 * start + (trips - 1) * step
