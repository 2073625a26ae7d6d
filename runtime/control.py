"""Control flow as the core runs it: a row of steps, with labels, jumps, registers for scalars, and calls.

`scf`, `cf` and `func.call` carry only scalars here; what they move in memory stands before them as copies. A value that
is a scalar has one register, for a function is never entered again while it runs. A boundary is a parallel move between
registers too: all sources are read, then all targets written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from lastuse.dialect.ir.diagnostics import LastuseError, location_of
from lastuse.dialect.ir.flow_graphs import reverse_postorder
from lastuse.dialect.onednn.kernel_call import KernelCallOp
from lastuse.runtime import _core


class Function:
    """A function others call: where it starts, its parameters (buffers; registers of scalars), and the registers of
    what it returns."""

    def __init__(self, label: int, parameters: Sequence[int], returned: Sequence[int]) -> None:
        self.label, self.parameters, self.returned = label, parameters, returned


class ControlFlow(ABC):
    """Turns the regions of functions into steps of a program.

    Attributes:
        core: the program that is built.
        called: every function that others call and that was built before, by name.
    """

    def __init__(self, core: _core.StepProgram) -> None:
        self.core = core
        self.called: dict[str, Function] = {}
        self.registers: dict[SSAValue, int] = {}
        self.labels: dict[Block, int] = {}

    @abstractmethod
    def view(self, value: SSAValue) -> int:
        """The number of the view that a memref is."""

    @abstractmethod
    def step(self, op: Operation) -> None:
        """The step of an op that touches memory."""

    def register(self, value: SSAValue) -> int:
        """The register of a scalar."""
        if value not in self.registers:
            if isinstance(value.type, MemRefType):
                raise VerifyException(f"{value.type} is memory, which is no value of control flow")
            self.registers[value] = self.core.add_register()
        return self.registers[value]

    def body(self, func: FuncOp, leave: Callable[[ReturnOp], None]) -> None:
        """All blocks of a function that can be reached; `leave` ends it at each return."""
        blocks = reverse_postorder(func.body)
        for block in blocks:
            self.labels[block] = self.core.add_label()
        for block in blocks:
            self.core.bind_label(self.labels[block])
            self._ops(block)
            last = block.last_op
            if isinstance(last, ReturnOp):
                leave(last)
            elif last is not None:
                self._guarded(last, self._branch)

    def _ops(self, block: Block) -> None:
        """The ops of a block but for its terminator."""
        for op in block.ops:
            if op is not block.last_op:
                self._guarded(op, self._op)

    def _guarded(self, op: Operation, build: Callable[[Operation], None]) -> None:
        try:
            build(op)
        except (_core.Error, VerifyException) as error:
            raise LastuseError(f"{step_name(op)}: {error}", op) from error

    def _op(self, op: Operation) -> None:
        match op:
            case scf.IfOp():
                self._if(op)
            case scf.ForOp():
                self._for(op)
            case scf.WhileOp():
                self._while(op)
            case CallOp():
                self._call(op)
            case _ if op.dialect_name() in ("arith", "memref"):
                self._scalar(op)
            case _:
                self.step(op)

    def _scalar(self, op: Operation) -> None:
        # Loading these dialects takes longer than building a small program, and few have any of their ops.
        from xdsl.dialects import arith, memref

        from lastuse.runtime.scalar_ops import constant_word, scalar_of

        match op:
            case arith.ConstantOp():
                self.core.add_set(self.register(op.result), constant_word(op))
            case memref.LoadOp():
                indices = [self.register(v) for v in op.indices]
                self.core.add_load(step_name(op), self.view(op.memref), indices, self.register(op.res))
            case _ if op.dialect_name() == arith.Arith.name:
                ins = [self.register(v) for v in op.operands]
                self.core.add_compute(step_name(op), scalar_of(op), ins, self.register(op.results[0]))
            case _:
                self.step(op)

    # Regions

    def _if(self, op: scf.IfOp) -> None:
        arms = [op.true_region, op.false_region]
        start, end = [self.core.add_label() for _ in arms], self.core.add_label()
        self.core.add_branch(step_name(op), self.register(op.cond), *start)
        for label, region in zip(start, arms, strict=True):
            self.core.bind_label(label)
            block = region.blocks.first
            if block is not None:
                self._ops(block)
                self.move(_yielded(block, scf.YieldOp), op.results)
            if region is not arms[-1]:
                self.core.add_jump(end)
        self.core.bind_label(end)

    def _for(self, op: scf.ForOp) -> None:
        block = op.body.block
        index, *carried = block.args
        bounds = [self.register(v) for v in (op.lb, op.ub, op.step)]
        self.move(op.iter_args, carried)
        for argument, result in zip(carried, op.results, strict=True):
            self.registers[result] = self.register(argument)
        self.core.add_loop_check(step_name(op), bounds[2])
        runs, body, end = self.core.add_register(), self.core.add_label(), self.core.add_label()
        below = _core.scalar("cmpi.slt", "i64", "i1")
        self.core.add_compute("", below, bounds[:2], runs)
        self.core.add_move(bounds[0], self.register(index))
        self.core.add_branch("", runs, body, end)
        self.core.bind_label(body)
        self._ops(block)
        self.move(_yielded(block, scf.YieldOp), carried)
        self.core.add_next_iteration(self.register(index), bounds[1], bounds[2], body)
        self.core.bind_label(end)

    def _while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        again, body, end = (self.core.add_label() for _ in range(3))
        for argument, result in zip(after.args, op.results, strict=True):
            self.registers[argument] = self.register(result)
        self.move(op.arguments, before.args)
        self.core.bind_label(again)
        self._ops(before)
        condition, *passed = _yielded(before, scf.ConditionOp)
        tested = self.core.add_register()  # the move may write where the condition is
        self.core.add_move(self.register(condition), tested)
        self.move(passed, op.results)
        self.core.add_branch(step_name(op), tested, body, end)
        self.core.bind_label(body)
        self._ops(after)
        self.move(_yielded(after, scf.YieldOp), before.args)
        self.core.add_jump(again)
        self.core.bind_label(end)

    # Blocks

    def _branch(self, op: Operation) -> None:
        match op:
            case cf.BranchOp():
                self._go(op.successor, op.arguments)
            case cf.ConditionalBranchOp():
                then, otherwise = self.core.add_label(), self.core.add_label()
                self.core.add_branch(step_name(op), self.register(op.cond), then, otherwise)
                self.core.bind_label(then)
                self._go(op.then_block, op.then_arguments)
                self.core.bind_label(otherwise)
                self._go(op.else_block, op.else_arguments)
            case cf.SwitchOp():
                self._switch(op)
            case _:
                raise VerifyException("is no branch that runs")

    def _switch(self, op: cf.SwitchOp) -> None:
        flag = self.register(op.flag)
        values = [int(v) for v in op.case_values.get_values()] if op.case_values is not None else []
        equal, value, same = _core.scalar("cmpi.eq", "i64", "i1"), self.core.add_register(), self.core.add_register()
        for number, block, operands in zip(values, op.case_blocks, op.case_operand, strict=True):
            taken, next_ = self.core.add_label(), self.core.add_label()
            self.core.add_set(value, number)
            self.core.add_compute(step_name(op), equal, [flag, value], same)
            self.core.add_branch(step_name(op), same, taken, next_)
            self.core.bind_label(taken)
            self._go(block, operands)
            self.core.bind_label(next_)
        self._go(op.default_block, op.default_operands)

    def _go(self, block: Block, operands: Sequence[SSAValue]) -> None:
        self.move(operands, block.args)
        self.core.add_jump(self.labels[block])

    # Calls

    def _call(self, op: CallOp) -> None:
        name = op.callee.string_value()
        callee = self.called.get(name)
        if callee is None:
            raise VerifyException(f"there is no function @{name}")
        memory: list[tuple[int, int]] = []
        scalars: list[tuple[int, int]] = []
        for value, parameter in zip(op.operands, callee.parameters, strict=True):
            if isinstance(value.type, MemRefType):
                memory.append((parameter, self.view(value)))
            else:
                scalars.append((self.register(value), parameter))
        for source, target in scalars:  # the callee's own registers: no two meet
            self.core.add_move(source, target)
        self.core.add_function_call(f"{step_name(op)} @{name}", callee.label, memory)
        for source, result in zip(callee.returned, op.results, strict=True):
            self.core.add_move(source, self.register(result))

    def move(self, sources: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        """A parallel move of scalars."""
        pairs = [(self.register(s), self.register(t)) for s, t in zip(sources, targets, strict=True)]
        pairs = [(s, t) for s, t in pairs if s != t]
        written, kept = {target for _, target in pairs}, dict[int, int]()
        for source, _ in pairs:
            if source in written and source not in kept and len(pairs) > 1:
                kept[source] = self.core.add_register()
                self.core.add_move(source, kept[source])
        for source, target in pairs:
            self.core.add_move(kept.get(source, source), target)


def _yielded(block: Block, terminator: type[scf.YieldOp | scf.ConditionOp]) -> Sequence[SSAValue]:
    last = block.last_op
    if not isinstance(last, terminator):
        raise VerifyException(f"a block ends with {terminator.name}")
    return last.operands


def step_name(op: Operation) -> str:
    """How errors call a step: its op, what it calls, and where that was in the source."""
    name = f"{op.name} {op.callee.data}" if isinstance(op, KernelCallOp) else op.name
    where = location_of(op)
    return name if where is None else f"{where}: {name}"
