"""The control flow graph and the call graph: how blocks follow each other, what stands inside what, and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from operator import attrgetter
from types import MappingProxyType
from typing import TypeVar

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.remembered import is_a, is_class, of_listing, remembered

T = TypeVar("T", bound=Operation)
CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp)
"""Region ops whose flow is known: values move into their slots. One of any other class is foreign, and its results may
lie anywhere in what it reads."""


def is_control(op_class: type[Operation]) -> bool:
    """Whether ops of a class are of `CONTROL`."""
    return is_class(op_class, CONTROL)


def successors(block: Block) -> Sequence[Block]:
    """The blocks that may run next; none after a return, or in a block that is not finished."""
    return block.last_op.successors if block.last_op is not None else ()


def reverse_postorder(region: Region, avoided: Block | None = None) -> list[Block]:
    """The blocks of a region that can be reached, in reverse post-order: each after those that dominate it,
    and of two successors the one that is named first before the other. With `avoided` only those that can be reached
    without going through that block, which are the blocks that it does not dominate."""
    first = region.blocks.first
    if first is None or first is avoided:
        return []
    order: list[Block] = []
    seen, stack = {first, avoided}, [(first, reversed(successors(first)))]
    while stack:
        block, following = stack[-1]
        new = next((b for b in following if b not in seen), None)
        if new is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(new)
            stack.append((new, reversed(successors(new))))
    return order[::-1]


def ancestors(inner: Operation | Block) -> Iterator[Operation]:
    """The ops around an op or a block, from the inside out."""
    around = inner.parent_op()
    while around is not None:
        yield around
        around = around.parent_op()


def around_in(op: Operation, block: Block | None) -> Operation | None:
    """The op of a block that an op is, or is in."""
    return next((around for around in (op, *ancestors(op)) if around.parent is block), None)


def function_around(inner: Operation | Block) -> FuncOp | None:
    """The function that an op or a block stands in."""
    return next((around for around in ancestors(inner) if isinstance(around, FuncOp)), None)


def blocks_around(op: Operation) -> Iterator[Block]:
    """The block of an op, and those around it, from the inside out."""
    for around in (op, *ancestors(op)):
        if around.parent is not None:
            yield around.parent


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether a value is defined in one of the op's regions, however deep."""
    return any(around is op for around in ancestors(value.owner))


# Functions and their calls


def functions_of(module: ModuleOp) -> dict[str, FuncOp]:
    """The functions of a module that have a body, by name."""
    return {f.sym_name.data: f for f in module.body.block.ops if isinstance(f, FuncOp) and f.body.blocks}


def symbols_of(module: ModuleOp) -> dict[str, Operation]:
    """What a module has by name, functions and others."""
    named = ((op.properties.get("sym_name") or op.attributes.get("sym_name"), op) for op in module.body.block.ops)
    return {name.data: op for name, op in named if isinstance(name, StringAttr)}


def main_function(module: ModuleOp) -> FuncOp:
    """The function `main` of a module, or its only function.

    Raises:
        LastuseError: there is none.
    """
    functions = functions_of(module)
    func = functions.get("main")
    if func is None and len(functions) == 1:
        (func,) = functions.values()
    if func is None:
        raise LastuseError("the module has no function 'main'", module)
    return func


def defined_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions that have a body, those of inner modules too."""
    return [func for func in module.walk() if is_a(func, FuncOp) and func.body.blocks]


@of_listing
def calls_in(func: FuncOp) -> tuple[CallOp, ...]:
    """The calls that stand in a function."""
    return tuple(_of_class(ops_within(func), classes_within(func), CallOp))


@of_listing
def functions_within(op: Operation) -> tuple[FuncOp, ...]:
    """The functions in an op, those without a body and of inner modules too; the op itself where it is one."""
    return tuple(_of_class(ops_within(op), classes_within(op), FuncOp))


@of_listing
def ops_within(op: Operation) -> tuple[Operation, ...]:
    """`op` and all ops in its regions, as `walk` gives them."""
    if not is_a(op, ModuleOp):
        return tuple(listed_ops(op))
    found: list[Operation] = [op]
    for block in op.body.blocks:
        for inner in listed_block(block):
            found += ops_within(inner)  # which is remembered of each function
    return tuple(found)


@of_listing
def classes_within(op: Operation) -> frozenset[type[Operation]]:
    """The classes of `ops_within`."""
    return frozenset(map(type, ops_within(op)))


def _of_class(ops: Iterable[Operation], classes: Set[type[Operation]], wanted: type[T]) -> list[T]:
    """The ops of a class, of ops that are of some classes. Most functions have none."""
    found = {op_class for op_class in classes if is_class(op_class, wanted)}
    return [op for op in ops if type(op) in found] if found else []  # pyright: ignore[reportReturnType]


def values_within(op: Operation) -> Iterator[SSAValue]:
    """Results and arguments of blocks of an op and the ops in it; those of a copy of the op come in the same order."""
    for inner in op.walk():
        yield from inner.results
        for region in inner.regions:
            for block in region.blocks:
                yield from block.args


def listed_block(block: Block) -> list[Operation]:
    """The ops of a block, in order. `list` of what xDSL gives looks at each twice, to know how many there are."""
    found: list[Operation] = []
    op = block.first_op
    while op is not None:
        found.append(op)
        op = op._next_op  # pyright: ignore[reportPrivateUsage]  # `next_op` is Python code, run for all ops
    return found


@remembered
def block_ops(block: Block) -> tuple[Operation, ...]:
    """As `listed_block`."""
    return tuple(listed_block(block))


@of_listing
def positions_in(block: Block) -> Mapping[Operation, int]:
    """By op of a block its position there: `is_before_in_block` of xDSL walks the block for each question."""
    return {op: position for position, op in enumerate(block_ops(block))}


Order = Mapping[Block, tuple[Operation, ...]]
"""The ops of some blocks in another order than they have; of a block that is not in it, they are as they stand."""
AS_THEY_STAND: Order = MappingProxyType({})


def ops_of(block: Block, order: Order) -> Sequence[Operation]:
    """The ops of a block, in order."""
    return order[block] if order and block in order else block_ops(block)


operands_of: Callable[[Operation], tuple[SSAValue, ...]] = attrgetter("_operands")
"""The operands of an op, in the tuple that xDSL has them in. `Operation.operands` makes a view anew, through which they
can be replaced, and each access to that is a call: what reads those of all ops, and changes none, asks here."""
nth: Callable[[tuple[SSAValue, ...], int], SSAValue] = tuple.__getitem__
"""One of the values of a tuple that xDSL has them in, whose own `[]` is Python code: for what asks of all ops."""


type_of: Callable[[SSAValue], Attribute] = attrgetter("_type")
"""The type of a value, of which `value.type` is Python code: for what asks of all values."""
next_op_of: Callable[[Operation], Operation | None] = attrgetter("_next_op")
"""The op behind an op; as are those below, without Python code of xDSL."""
first_op_of: Callable[[Block], Operation | None] = attrgetter("_first_op")
"""The first op of a block."""
first_block_of: Callable[[Region], Block | None] = attrgetter("_first_block")
"""The first block of a region."""
arguments_of: Callable[[Block], tuple[BlockArgument, ...]] = attrgetter("_args")
"""The arguments of a block."""

attributes_of: Callable[[Operation], dict[str, Attribute]] = attrgetter("attributes")
"""The attributes of an op, for what filters all ops by them."""
results_of: Callable[[Operation], Sequence[SSAValue]] = attrgetter("results")
"""The results of an op, for what chains those of all ops."""


def listed_ops(op: Operation) -> list[Operation]:
    """As `ops_within`, of ops that are about to change."""
    found = [op]
    _list_inner(op, found)
    return found


def _list_inner(op: Operation, found: list[Operation]) -> None:
    for region in op.regions:  # loops that xDSL's iterators would take several times as long for
        block = region.first_block
        while block is not None:
            inner = block.first_op
            while inner is not None:
                found.append(inner)
                if inner.regions:
                    _list_inner(inner, found)
                inner = inner._next_op  # pyright: ignore[reportPrivateUsage]  # as in `listed_block`
            block = block.next_block


def callee_of(call: CallOp) -> str:
    """The name of the function that is called."""
    return call.callee.string_value()


@of_listing
def named_functions(module: ModuleOp) -> Mapping[str, FuncOp]:
    """The functions of a module, with or without a body, by name; of two of one name the first."""
    named: dict[str, FuncOp] = {}
    for op in listed_block(module.body.block):
        if is_a(op, FuncOp):
            named.setdefault(op.sym_name.data, op)
    return named


@of_listing
def _bodies(module: ModuleOp) -> Mapping[str, FuncOp]:
    return functions_of(module)


def functions_of_module(func: FuncOp) -> Mapping[str, FuncOp]:
    """The functions with a body of the module that `func` is in, by name."""
    module = func.parent_op()
    return _bodies(module) if isinstance(module, ModuleOp) else {func.sym_name.data: func}


@of_listing
def _callers(module: ModuleOp) -> Mapping[str, Set[str]]:
    """By name of a function those of the functions that call it."""
    callers: dict[str, set[str]] = {}
    for name, func in _bodies(module).items():
        for call in calls_in(func):
            callers.setdefault(callee_of(call), set()).add(name)
    return callers


def is_called(func: FuncOp) -> bool:
    """Whether another function of its module calls `func`."""
    module = func.parent_op()
    callers = _callers(module).get(func.sym_name.data, frozenset()) if isinstance(module, ModuleOp) else frozenset()
    return not callers <= {func.sym_name.data}


def topological_order(functions: Mapping[str, FuncOp]) -> list[FuncOp]:
    """All functions, each behind those that call it. Calls of other functions are left out.

    Raises:
        LastuseError: a function may be called while it runs: its frame has one place in the arena.
    """
    calls = {name: [c for c in calls_in(func) if callee_of(c) in functions] for name, func in functions.items()}
    waiting = Counter(callee_of(call) for sites in calls.values() for call in sites)
    ready = [name for name in functions if not waiting[name]]
    order: list[str] = []
    while ready:
        order.append(ready.pop())
        for call in calls[order[-1]]:
            name = callee_of(call)
            waiting[name] -= 1
            if not waiting[name]:
                ready.append(name)
    if len(order) < len(functions):
        _refuse_circle({name: sites for name, sites in calls.items() if name not in order})
    return [functions[name] for name in order]


def _refuse_circle(calls: Mapping[str, list[CallOp]]) -> None:
    """Every function here is called by another one here, so going from callee to caller ends in a circle."""
    callers = {callee_of(call): (name, call) for name, sites in calls.items() for call in sites}
    name, seen = next(iter(calls)), set[str]()
    while name not in seen:
        seen.add(name)
        name, call = callers[name]
        if name in seen:
            raise LastuseError(f"@{callee_of(call)} may be called while it runs: recursion is not supported", call)


def called_from(func: FuncOp, functions: Mapping[str, FuncOp]) -> dict[str, FuncOp]:
    """`func`, and those of `functions` that it calls, or that these call, by name."""
    subset: dict[str, FuncOp] = {}
    waiting = [func.sym_name.data]
    while waiting:
        name = waiting.pop()
        if name in functions and name not in subset:
            subset[name] = functions[name]
            waiting += [callee_of(call) for call in calls_in(functions[name])]
    return subset
