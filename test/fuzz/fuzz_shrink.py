"""Making a program that fails smaller, as long as it fails in the same way.

Each step takes something away: an op, by putting another value in the place of its results; a result of the function;
an attribute; a branch, by keeping one arm; a loop, by running its body once. Steps are tried from the end of the
program on, until none helps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from lastuse.compiler.module_utils import clone
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import main_function, reverse_postorder
from lastuse.dialect.storage import verifier

Step = Callable[[ModuleOp], bool]
"""Takes something away from a module; False where there is nothing to take."""
LOST = ("dnn.reuse", "dnn.inplace", "dnn.parts", "dnn.engine")
"""Attributes that an op may do without."""


def shrunk(module: ModuleOp, fails: Callable[[ModuleOp], bool]) -> ModuleOp:
    """The smallest module found for which `fails` holds, as it does for `module`."""
    helped = True
    while helped:
        helped = False
        for step in _steps(module):
            smaller = clone(module)
            if _taken(smaller, step) and fails(smaller):
                module, helped = smaller, True
    return module


def _taken(module: ModuleOp, step: Step) -> bool:
    try:
        if not step(module):
            return False
        verifier.verify(module)
    except (LastuseError, ValueError, IndexError):
        return False
    return True


def _steps(module: ModuleOp) -> Iterator[Step]:
    """Everything that can be tried on a module: large pieces first, each from the end on. What helped before leaves
    fewer ops, results and arguments, so that some of the numbers are unused."""
    func = main_function(module)
    count = len(list(module.walk()))
    for number in range(count - 1, 0, -1):
        yield lambda m, n=number: _open(_op(m, n))
    for number in range(count - 1, 0, -1):
        yield lambda m, n=number: _erase(_op(m, n), None)
    for number in range(count - 1, 0, -1):
        for choice in range(3):
            yield lambda m, n=number, c=choice: _erase(_op(m, n), c)
    for number in range(count - 1, 0, -1):
        for side in (1, 0):  # a loop's way out first
            yield lambda m, n=number, s=side: _straighten(_op(m, n), s)
    for result in range(len(func.function_type.outputs.data) - 1, -1, -1):
        yield lambda m, r=result: _unreturn(main_function(m), r)
    for argument in range(len(func.args) - 1, -1, -1):
        yield lambda m, a=argument: _without_argument(main_function(m), a)
        yield lambda m, a=argument: _plain_argument(main_function(m), a)
    for number in range(count - 1, 0, -1):
        for name in LOST:
            yield lambda m, n=number, k=name: _op(m, n).attributes.pop(k, None) is not None


def _op(module: ModuleOp, number: int) -> Operation:
    """Op `number` in the order of the text; the module itself where there are fewer."""
    return next(islice(module.walk(), number, None), module)


def _others(op: Operation, value: SSAValue) -> list[SSAValue]:
    """Values of one type that are there before `op`: its operands, what is before it in its block, arguments."""
    found = list(op.operands)
    before = op.prev_op
    while before is not None:
        found.extend(before.results)
        before = before.prev_op
    block = op.parent_block()
    while block is not None:
        found.extend(block.args)
        above = block.parent_op()
        block = above.parent_block() if above is not None else None
    return [v for v in dict.fromkeys(found) if v.type == value.type]


def _erase(op: Operation, choice: int | None) -> bool:
    """Erase an op: it is unused, or the `choice`-th value of its type takes the place of each result."""
    if op.has_trait(IsTerminator) or isinstance(op, ModuleOp) or _is_wanted(op):
        return False
    for result in op.results:
        if not any(result.uses):
            continue
        # Scalars stay: with another one in its place a loop may have no end.
        others = _others(op, result) if choice is not None and isinstance(result.type, TensorType) else []
        if choice is None or choice >= len(others):
            return False
        result.replace_all_uses_with(others[choice])
    op.detach()
    op.erase()
    return True


def _is_wanted(op: Operation) -> bool:
    """The function that runs, or one that is called."""
    if not isinstance(op, FuncOp):
        return False
    module = op.parent_op()
    assert isinstance(module, ModuleOp)
    called = {c.callee.string_value() for c in module.walk() if isinstance(c, CallOp)}
    return op is main_function(module) or op.sym_name.data in called


def _straighten(op: Operation, side: int) -> bool:
    """Follow one side of a branch alone; put a block that has one way in where that way comes from."""
    block = op.parent_block()
    if block is None:
        return False
    if isinstance(op, cf.ConditionalBranchOp):
        ways = (op.then_block, op.then_arguments), (op.else_block, op.else_arguments)
        block.insert_op_before(cf.BranchOp(ways[side][0], *ways[side][1]), op)
        block.erase_op(op)
    elif isinstance(op, cf.BranchOp):
        target = op.successor
        region = block.parent_region()
        assert region is not None
        if target is block or sum(b.last_op.successors.count(target) for b in region.blocks if b.last_op) != 1:
            return False
        for argument, value in zip(list(target.args), op.arguments, strict=True):
            argument.replace_all_uses_with(value)
            target.erase_arg(argument)
        block.erase_op(op)
        for inner in list(target.ops):
            inner.detach()
            block.add_op(inner)
        region.erase_block(target)
    else:
        return False
    _drop_unreached(block)
    return True


def _drop_unreached(block: Block) -> None:
    """Erase unreachable blocks of the region."""
    region = block.parent_region()
    assert region is not None
    kept = set(reverse_postorder(region))
    for other in [b for b in region.blocks if b not in kept]:
        for op in other.ops:
            op.drop_all_references()
        region.detach_block(other)


def _open(op: Operation) -> bool:
    """Put one arm of a branch, or the body of a loop run once, where the op is."""
    block: Block | None = None
    if isinstance(op, scf.IfOp):
        block = op.true_region.blocks.first
    elif isinstance(op, scf.ForOp) and not any(op.body.block.args[0].uses):
        block = op.body.block
        for argument, init in zip(block.args[1:], op.iter_args, strict=True):
            argument.replace_all_uses_with(init)
    elif isinstance(op, scf.WhileOp):  # asked once, not gone round
        block = op.before_region.block
        for argument, init in zip(block.args, op.arguments, strict=True):
            argument.replace_all_uses_with(init)
    if block is None or block.last_op is None:
        return False
    last = block.last_op
    given = last.operands[1:] if isinstance(last, scf.ConditionOp) else last.operands
    for result, value in zip(op.results, given, strict=True):
        result.replace_all_uses_with(value)
    last.detach()
    last.erase()
    parent = op.parent_block()
    assert parent is not None
    for inner in list(block.ops):
        inner.detach()
        parent.insert_op_before(inner, op)
    op.detach()
    op.erase()
    return True


def _unreturn(func: FuncOp, index: int) -> bool:
    """Return one value less."""
    if len(func.function_type.outputs.data) < 2:
        return False
    for op in list(func.walk()):
        if isinstance(op, ReturnOp):
            op.operands = [v for n, v in enumerate(op.operands) if n != index]
    outputs = [t for n, t in enumerate(func.function_type.outputs.data) if n != index]
    func.function_type = FunctionType.from_lists(list(func.function_type.inputs.data), outputs)
    if func.res_attrs is not None:
        func.res_attrs = ArrayAttr([a for n, a in enumerate(func.res_attrs.data) if n != index])
    return True


def _without_argument(func: FuncOp, index: int) -> bool:
    """Remove an unused argument; ties count arguments, so there must be none."""
    argument = func.args[index]
    tied = func.res_attrs is not None and any(a.data for a in func.res_attrs.data)
    if any(argument.uses) or tied:
        return False
    assert isinstance(argument, BlockArgument)
    argument.block.erase_arg(argument)
    inputs = [t for n, t in enumerate(func.function_type.inputs.data) if n != index]
    func.function_type = FunctionType.from_lists(inputs, list(func.function_type.outputs.data))
    if func.arg_attrs is not None:
        func.arg_attrs = ArrayAttr([a for n, a in enumerate(func.arg_attrs.data) if n != index])
    return True


def _plain_argument(func: FuncOp, index: int) -> bool:
    """Take away what an argument has been given."""
    if func.arg_attrs is None or not func.arg_attrs.data[index].data:
        return False
    attributes = list(func.arg_attrs.data)
    attributes[index] = DictionaryAttr({})
    func.arg_attrs = ArrayAttr(attributes)
    return isinstance(func.args[index].type, TensorType)
