"""Decisions as attributes: how they are read from ops, arguments and results, and written to them.

Dropping any of them is always safe; what they mean together is `place.py`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import attributes_of, operands_of, ops_within
from lastuse.dialect.ir.remembered import remembered

INPLACE, REUSE, PARTS, OFFSET = "dnn.inplace", "dnn.reuse", "dnn.parts", "dnn.offset"
DONATED, TIED, NAME, NAMES = "dnn.donated", "dnn.tied", "dnn.name", "dnn.names"
LENT, STRIDED = "dnn.lent", "dnn.strided"
SIZES, VALUE, UNREFINED = "dnn.sizes", "dnn.value", "dnn.unrefined"
LOSS, TRAINABLE, INITIAL = "dnn.loss", "dnn.trainable", "dnn.initial"
COPY, SUCC_REUSE, SUCC_OFFSET, DONATE = "dnn.copy", "dnn.succ_reuse", "dnn.succ_offset", "dnn.donate"
FORWARD, SUCC_FORWARD = "dnn.forward", "dnn.succ_forward"
ARENA_BYTES, UNIT = "dnn.arena_bytes", "dnn.unit"
REFUSED, INPLACE_MODE, SHARES = "dnn.refused", "dnn.inplace_mode", "dnn.shares"
SCRATCH_OFFSET, SCRATCH_BYTES = "dnn.scratch_offset", "dnn.scratch_bytes"
DATA_SCALE, DATA_SHIFT = "dnn.data_scale", "dnn.data_shift"
PLAN = (OFFSET, SUCC_OFFSET, SCRATCH_OFFSET, ARENA_BYTES)
"""What a memory plan consists of: made together, of no use apart."""
PLACES = (INPLACE, REUSE, PARTS, COPY, DONATE, SUCC_REUSE, FORWARD, SUCC_FORWARD, *PLAN)
"""All that says where values lie: right in the order that the ops have."""


@remembered
def _integers(attribute: Attribute | None) -> tuple[int, ...] | None:
    if not isinstance(attribute, DenseArrayBase) or not isinstance(attribute.elt_type, IntegerType):
        return None
    return tuple(int(n) for n in attribute.get_values())


def floats(attribute: Attribute | None) -> tuple[float, ...]:
    """The values of an attribute that is an array of floats; none where it is missing or something else."""
    if not isinstance(attribute, DenseArrayBase) or isinstance(attribute.elt_type, IntegerType):
        return ()
    return tuple(float(v) for v in attribute.get_values())


def flags(attribute: ArrayAttr[BoolAttr]) -> tuple[bool, ...]:
    """The values of an array of flags; `true` is -1 to xDSL."""
    return tuple(bool(flag.value.data) for flag in attribute.data)


def entries(op: Operation, name: str) -> tuple[int, ...]:
    """The entry of each result: the operand it is written over (`dnn.inplace`), the number of its storage
    (`dnn.reuse`), its byte offset in the arena (`dnn.offset`), or 1 where it is forwarded (`dnn.forward`). -1 for none:
    where the attribute is missing, has another length, or names an operand that is out of range."""
    attribute = op.attributes.get(name)
    numbers = _integers(attribute) if attribute is not None else None
    if numbers is None or len(numbers) != len(op.results):
        return (-1,) * len(op.results)
    if name != INPLACE or not numbers or max(numbers) < (count := len(operands_of(op))):
        return numbers
    return tuple(k if k < count else -1 for k in numbers)


def inplace(op: Operation) -> tuple[int, ...]:
    """Per result the operand it is written over, -1 for none."""
    return entries(op, INPLACE)


def part_operands(op: Operation) -> tuple[int, ...]:
    """Operands computed in their part of the result."""
    return tuple(k for k in _integers(op.attributes.get(PARTS)) or () if 0 <= k < len(operands_of(op)))


def set_entries(op: Operation, name: str, values: Sequence[int]) -> None:
    """Write an attribute that has an entry a result, or names operands; it goes where no entry says anything."""
    if any(v >= 0 for v in values):
        op.attributes[name] = _array(i64 if name == OFFSET else i32, tuple(values))
    else:
        op.attributes.pop(name, None)


@lru_cache(maxsize=1 << 12)
def _array(type_: object, values: tuple[int, ...]) -> Attribute:
    return DenseArrayBase.from_list(type_, list(values))  # pyright: ignore


def is_decided(op: Operation) -> bool:
    """Something has been decided about the places of this op's results."""
    return any(name in op.attributes for name in (INPLACE, REUSE, OFFSET, PARTS, COPY, FORWARD))


def has_decisions(op: Operation) -> bool:
    """Something has been decided about where values of the op, or of ops in its regions, lie."""
    return is_placed(op) or has_decisions_inside(op)


def has_decisions_inside(op: Operation) -> bool:
    """Something has been decided about where values of the ops in the regions of the op lie."""
    return any(map(is_placed, filter(attributes_of, ops_within(op)[1:])))


def is_placed(op: Operation) -> bool:
    """Something has been decided about where values of the op lie."""
    return bool(op.attributes) and any(name in op.attributes for name in PLACES)


def gives_places(op: Operation) -> bool:
    """A decision on the op says where one of its results, its scratch or a part of its result lies."""
    placed = any(n >= 0 for name in (INPLACE, REUSE, OFFSET, FORWARD) for n in entries(op, name))
    return placed or bool(part_operands(op)) or is_copy(op) or SCRATCH_OFFSET in op.attributes


def is_copy(op: Operation) -> bool:
    """A view that a pass made a copy."""
    return COPY in op.attributes


def argument_attributes(argument: BlockArgument) -> dict[str, Attribute]:
    """Attributes of a function's argument; empty for any other block's, and for one that was added and has none yet."""
    func = argument.block.parent_op()
    if not isinstance(func, FuncOp) or func.arg_attrs is None or func.body.blocks.first is not argument.block:
        return {}
    rows = func.arg_attrs.data
    return dict(rows[argument.index].data) if argument.index < len(rows) else {}


def result_attributes(func: FuncOp, index: int) -> dict[str, Attribute]:
    """Attributes of result `index` of a function."""
    if func.res_attrs is None:
        return {}
    return dict(func.res_attrs.data[index].data)


def set_argument_attribute(func: FuncOp, index: int, name: str, value: Attribute | None) -> None:
    """Set, or with None erase, one attribute of an argument."""
    set_argument_attributes(func, name, {index: value})


def set_argument_attributes(func: FuncOp, name: str, values: Mapping[int, Attribute | None]) -> None:
    """Set, or with None erase, one attribute of several arguments, by their numbers. A function carries the attributes
    of all its arguments in one, which is made anew."""
    count = len(func.function_type.inputs.data)
    rows: list[Mapping[str, Attribute]] = [{} for _ in range(count)]
    if func.arg_attrs is not None:
        rows = [row.data for row in func.arg_attrs.data]
    changed = {index: value for index, value in values.items() if rows[index].get(name) != value}
    if not changed:
        return
    for index, value in changed.items():
        others = {key: other for key, other in rows[index].items() if key != name}
        rows[index] = others if value is None else {**others, name: value}
    func.arg_attrs = dictionaries_of(rows)


def dictionaries_of(rows: Sequence[Mapping[str, Attribute]]) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of arguments or results, a row each, as a function carries them."""
    return ArrayAttr([DictionaryAttr(dict(row)) for row in rows]) if any(rows) else None


def add_results(
    func: FuncOp, returns: Sequence[Operation], results: Sequence[tuple[SSAValue, Mapping[str, Attribute]]]
) -> None:
    """Adds values, each with its attributes as a result, to what a function returns at every one of its `returns`."""
    rows = [result_attributes(func, index) for index in range(len(func.function_type.outputs.data))]
    for last in returns:
        last.operands = [*last.operands, *(value for value, _ in results)]
    outputs = [*func.function_type.outputs.data, *(value.type for value, _ in results)]
    func.function_type = FunctionType.from_lists(list(func.function_type.inputs.data), outputs)
    func.res_attrs = ArrayAttr([DictionaryAttr(row) for row in (*rows, *(dict(named) for _, named in results))])


def tied_argument(func: FuncOp, result: int) -> int | None:
    """The argument whose memory result `result` must end in."""
    attribute = result_attributes(func, result).get(TIED)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def lent_arguments(func: FuncOp, result: int) -> tuple[int, ...] | None:
    """The arguments in whose memory result `result` may be returned, if not in new one; None without a promise."""
    return _integers(result_attributes(func, result).get(LENT))


def set_result_attribute(func: FuncOp, index: int, name: str, value: Attribute | None) -> None:
    """Set, or with None erase, one attribute of a result."""
    rows = [result_attributes(func, r) for r in range(len(func.function_type.outputs.data))]
    if value is None:
        rows[index].pop(name, None)
    else:
        rows[index][name] = value
    func.res_attrs = dictionaries_of(rows)


def is_donated(argument: BlockArgument) -> bool:
    return DONATED in argument_attributes(argument)


def writable_arguments(func: FuncOp) -> frozenset[int]:
    """Numbers of the arguments whose memory may be written: donated, or tied to a result."""
    tied = {tied_argument(func, r) for r in range(len(func.function_type.outputs.data))}
    arguments = func.body.blocks.first.args if func.body.blocks.first is not None else ()
    return frozenset(a.index for a in arguments if a.index in tied or is_donated(a))


def argument_reuse(argument: BlockArgument) -> int:
    """The storage number an argument carries, -1 for none."""
    attribute = argument_attributes(argument).get(REUSE)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else -1


def number_of(value: SSAValue) -> int:
    """The storage number that a result or an argument of a function carries itself, -1 for none."""
    if isinstance(value, OpResult):
        return entries(value.op, REUSE)[value.index]
    return argument_reuse(value) if isinstance(value, BlockArgument) else -1


def set_number(value: SSAValue, number: int) -> None:
    """Put a result, or an argument of a function, into storage `number`."""
    if isinstance(value, OpResult):
        numbers = list(entries(value.op, REUSE))
        numbers[value.index] = number
        set_entries(value.op, REUSE, numbers)
    elif isinstance(value, BlockArgument) and isinstance(func := value.block.parent_op(), FuncOp):
        set_argument_attribute(func, value.index, REUSE, IntegerAttr(number, i32))


def numbers_in(func: FuncOp) -> frozenset[int]:
    """Every storage number that `func` mentions."""
    result = {argument_reuse(a) for b in func.body.blocks for a in b.args}
    for op in ops_within(func):
        if not op.attributes:
            continue
        if REUSE in op.attributes:
            result.update(entries(op, REUSE))
        attribute = op.attributes.get(SUCC_REUSE)
        for numbers in attribute.data if attribute is not None and isinstance(attribute, ArrayAttr) else ():
            result.update(_integers(numbers) or ())
    return frozenset(result - {-1})


def set_slot_entry(mover: Operation, name: str, argument: BlockArgument, entry: int) -> None:
    """Write an entry of `dnn.succ_reuse` or `dnn.succ_offset`; entries of other arguments stay."""
    rows: list[list[int]] = []
    for block in blocks_after(mover):
        row = list(slot_entries(mover, name, block) or (-1,) * len(block.args))
        if block is argument.block:
            row[argument.index] = entry
        rows.append(row)
    if any(n >= 0 for row in rows for n in row):
        type_ = i64 if name == SUCC_OFFSET else i32
        mover.attributes[name] = ArrayAttr([DenseArrayBase.from_list(type_, row) for row in rows])
    else:
        mover.attributes.pop(name, None)


def blocks_after(mover: Operation) -> list[Block]:
    """The successors of a branch; of a region op the block that it enters first; of another op none."""
    return list(mover.successors) or [b for r in mover.regions[:1] if (b := r.blocks.first) is not None]


def slot_entries(mover: Operation, name: str, block: Block) -> tuple[int, ...] | None:
    """Storage numbers of the arguments of `block` that `dnn.succ_reuse` gives, or arena offsets that `dnn.succ_offset`
    gives, of a branch to it, or of the region op whose first region it is; None for none."""
    attribute = mover.attributes.get(name)
    if not isinstance(attribute, ArrayAttr):
        return None
    for successor, numbers in zip(blocks_after(mover), attribute.data, strict=False):
        values = _integers(numbers)
        if successor is block and values is not None and len(values) == len(block.args):
            return values
    return None


def source_name(value: SSAValue) -> str | None:
    """The value's name in the source model: `dnn.name` of an argument, `dnn.names` of an op."""
    attribute = None
    if isinstance(value, BlockArgument):
        attribute = argument_attributes(value).get(NAME)
    elif isinstance(value, OpResult) and isinstance(names := value.op.attributes.get(NAMES), ArrayAttr):
        attribute = names.data[value.index] if len(names.data) == len(value.op.results) else None
    return attribute.data if isinstance(attribute, StringAttr) else None


def hand_name_on(earlier: SSAValue, later: SSAValue, ending: str) -> None:
    """Calls `later`, the only result of its op, as the source and the text call `earlier`; that is called so with the
    ending then in the source's names, and has none in the text."""
    later.name_hint, earlier.name_hint = earlier.name_hint, None
    name = source_name(earlier)
    if name is None or not isinstance(earlier, OpResult) or not isinstance(later, OpResult):
        return
    names = earlier.op.attributes[NAMES]
    assert isinstance(names, ArrayAttr)
    entries = [*names.data]
    entries[earlier.index] = StringAttr(f"{name}/{ending}")
    earlier.op.attributes[NAMES] = ArrayAttr(entries)
    later.op.attributes[NAMES] = ArrayAttr([StringAttr(name)])


def size_names(argument: BlockArgument) -> tuple[str, ...]:
    """The names of an argument's sizes (`dnn.sizes`), by axis; one that has no name is empty. Unknown sizes of one name
    are equal. Empty where the argument has no such attribute."""
    attribute = argument_attributes(argument).get(SIZES)
    if not isinstance(attribute, ArrayAttr):
        return ()
    return tuple(name.data if isinstance(name, StringAttr) else "" for name in attribute.data)


def display_name(value: SSAValue) -> str:
    """How a value is called in remarks: its source name, else its name in the text, else its number among its op's."""
    name = source_name(value) or (f"%{value.name_hint}" if value.name_hint else None)
    if name:
        return name
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    return f"result {value.index} of {op_name(value.owner)}"  # pyright: ignore


def operands_given_away(call: Operation) -> frozenset[int]:
    """Numbers of the operands whose memory `dnn.donate` gives to the callee."""
    return frozenset(_integers(call.attributes.get(DONATE)) or ())


def scratch_bytes(op: Operation) -> int:
    """Bytes of scratch that `dnn.scratch_bytes` states, 0 for none."""
    stated = op.attributes.get(SCRATCH_BYTES)
    return stated.value.data if stated is not None and isinstance(stated, IntegerAttr) else 0


def set_scratch_bytes(op: Operation, nbytes: int) -> None:
    """Write `dnn.scratch_bytes`; the attribute goes where there are none."""
    if nbytes:
        op.attributes[SCRATCH_BYTES] = IntegerAttr(nbytes, i64)
    else:
        op.attributes.pop(SCRATCH_BYTES, None)


def is_planned(top: Operation) -> bool:
    """An op in it, or itself, carries a piece of a memory plan."""
    return any(name in op.attributes for op in ops_within(top) for name in PLAN)


def drop_plan(func: FuncOp) -> None:
    """Drop a memory plan: its offsets were all made together."""
    for op in ops_within(func):
        for name in (*PLAN, UNIT):
            op.attributes.pop(name, None)


def scale_plan(func: FuncOp, units: int) -> None:
    """A memory plan for each unit of `dnn.unit` becomes one for that many units, in bytes."""
    for op in ops_within(func):
        if OFFSET in op.attributes:
            set_entries(op, OFFSET, [at * units if at >= 0 else at for at in entries(op, OFFSET)])
        rows = op.attributes.get(SUCC_OFFSET)
        if isinstance(rows, ArrayAttr):
            scaled = [[at * units if at >= 0 else at for at in _integers(row) or ()] for row in rows.data]
            op.attributes[SUCC_OFFSET] = ArrayAttr([DenseArrayBase.from_list(i64, row) for row in scaled])
    nbytes = func.attributes.get(ARENA_BYTES)
    if isinstance(nbytes, IntegerAttr):
        func.attributes[ARENA_BYTES] = IntegerAttr(nbytes.value.data * units, i64)
    func.attributes.pop(UNIT, None)


def forget_all(func: FuncOp) -> None:
    """Drop every decision about memory: each value lies by itself then, views apart."""
    for op in ops_within(func):
        for name in (*PLACES, UNIT):
            op.attributes.pop(name, None)
    set_argument_attributes(func, REUSE, dict.fromkeys(range(len(func.function_type.inputs.data))))
