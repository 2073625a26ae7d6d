"""Stages of a function some of whose sizes are numbers that it computes: each stage knows its sizes when it begins.

Stage 0 is all that no such size decides. A value behind `dnn.leading_rows` belongs to the stage after the one that
makes its operands, and an op to the latest stage of what it reads. Between two stages the rows are counted: what they
are cut from and their number are results of stages, the rows are an argument of later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from lastuse.dialect.dnn.run_time_sizes import RunTimeRows, RunTimeRowsBase
from lastuse.dialect.ir import resources
from lastuse.dialect.ir.diagnostics import LastuseError, clone_located, op_name
from lastuse.dialect.ir.flow_graphs import ancestors, main_function, values_within
from lastuse.dialect.ir.region_contents import read_by
from lastuse.dialect.ir.tensor_types import Dim, Poly
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.shape_inference import infer_shapes
from lastuse.passes.transforms.simplify import erase_dead, is_removable


class Rows(NamedTuple):
    """Rows that are counted before a stage: `name` is the first rows of the value `x`, as many as `length` says."""

    name: str
    x: str
    length: str


class RunTimeStage(NamedTuple):
    """A part of a program.

    Attributes:
        rows: what is counted before it.
        results: names of the values that it makes for later stages and for the results of the program.
        module: its main function; arguments and results have the names of their values.
    """

    rows: Sequence[Rows]
    results: Sequence[str]
    module: ModuleOp


class StagedModule(NamedTuple):
    """The stages of a module, in order, and the value of each of its results, by the name of the result."""

    stages: Sequence[RunTimeStage]
    results: Mapping[str, str]


def stages_of(func: FuncOp) -> Mapping[SSAValue, int]:
    """The stage of every value of a function with one block; those in regions of ops are in the stage of the op.

    Empty where no size is a number of the run, and of functions with several blocks, which are not taken apart.
    """
    blocks = list(func.body.blocks)
    if len(blocks) != 1 or not any(_rows_of(op) for op in blocks[0].ops):
        return {}
    stages: dict[SSAValue, int] = {}
    for op in blocks[0].ops:
        stage = max((stages.get(value, 0) for value in read_by(op)), default=0) + (_rows_of(op) is not None)
        stages.update(dict.fromkeys(values_within(op), stage))
    return stages


def has_run_time_rows(module: ModuleOp) -> bool:
    """Whether the main function has several stages."""
    return any(stages_of(main_function(module)).values())


def staged(ctx: Context, module: ModuleOp, names: Sequence[str]) -> StagedModule:
    """The stages of a module that has several, and whose results have these names; the module is left as it is.

    Raises:
        LastuseError: a result ends in the memory of an argument, or an op may do more than make its results.
    """
    func = main_function(module)
    tied = next((n for n in range(len(names)) if attrs.tied_argument(func, n) is not None), None)
    if tied is not None:
        why = "it cannot be the memory of an argument where sizes are counted in each run"
        raise LastuseError(f"result {tied} of @{func.sym_name.data} is tied: {why}", func)
    for op in list(func.body.blocks[0].ops)[:-1]:
        if not is_removable(op):
            raise LastuseError(
                f"'{op_name(op)}' may do more than make its results, where sizes are counted in each run", op
            )
    return _Stages(ctx, module).all(names)


class _Stages:
    """Takes a module apart."""

    def __init__(self, ctx: Context, module: ModuleOp) -> None:
        self._ctx, self._module = ctx, module
        self._func = main_function(module)
        self._ops = list(self._func.body.blocks[0].ops)
        self._stages, self._sizes = stages_of(self._func), infer_shapes(self._func)
        self._names = _unique_names(self._func)
        self._free: set[SSAValue] = set()
        for op in self._ops:
            if not op.regions and all(value in self._free for value in op.operands):
                self._free.update(op.results)  # made of constants: each stage makes it anew

    def all(self, names: Sequence[str]) -> StagedModule:
        count = 1 + max(self._stages.values())
        returned = self._ops[-1].operands
        results = {name: self._names[value] for name, value in zip(names, returned, strict=True)}
        return StagedModule([self._stage(number) for number in range(count)], results)

    def _stage(self, number: int) -> RunTimeStage:
        copy = clone_located(self._module)
        resources.share(copy, self._module)
        func = main_function(copy)
        block = func.body.blocks[0]
        copies: dict[SSAValue, SSAValue] = {}
        for old, new in zip(self._ops, list(block.ops), strict=True):
            for value, made in zip(old.results, new.results, strict=True):
                copies[value] = made
        results = [value for value in copies if self._is_result(value, number)]
        last = block.last_op
        assert last is not None
        last.operands = [copies[value] for value in results]
        # A donated argument is not written: a later stage may read it.
        kept = [{k: v for k, v in attrs.argument_attributes(a).items() if k != attrs.DONATED} for a in block.args]
        rows = [DictionaryAttr(entry) for entry in kept]
        for value in self._arguments(number):
            argument = block.insert_arg(value.type, len(block.args))
            argument.name_hint = value.name_hint
            copies[value].replace_all_uses_with(argument)
            rows.append(DictionaryAttr(self._described(value)))
        func.arg_attrs = ArrayAttr(rows)
        func.res_attrs = ArrayAttr([DictionaryAttr({attrs.NAME: StringAttr(self._names[v])}) for v in results])
        erase_dead(self._ctx, copy)
        used = [argument for argument in block.args if argument.first_use is not None]
        func.arg_attrs = ArrayAttr([rows[argument.index] for argument in used])
        for argument in list(block.args):
            if argument.first_use is None:
                block.erase_arg(argument)
        func.function_type = FunctionType.from_lists([a.type for a in block.args], [v.type for v in last.operands])
        resources.drop_unreferenced(copy)
        counted = [
            Rows(self._names[op.results[0]], self._names[of.x], self._names[of.length])
            for op in self._ops
            if (of := _rows_of(op)) is not None and self._stages[op.results[0]] == number
        ]
        return RunTimeStage(counted, [self._names[value] for value in results], copy)

    def _arguments(self, number: int) -> Iterator[SSAValue]:
        """The values that ops of a stage read and do not make, in order, the arguments of the function apart."""
        read = {
            value
            for op in self._ops[:-1]
            if op.results and self._stages[op.results[0]] == number and _rows_of(op) is None
            for value in read_by(op)
        }
        for op in self._ops:
            for value in op.results:
                earlier = self._stages[value] < number or _rows_of(op) is not None
                if value in read and earlier and value not in self._free:
                    yield value

    def _is_result(self, value: SSAValue, number: int) -> bool:
        """Whether a stage makes a value that is read behind it."""
        if not isinstance(value, OpResult) or self._stages[value] != number or _rows_of(value.op) is not None:
            return False
        readers = [self._around(use.operation) for use in value.uses]
        if any(reader is self._ops[-1] or _rows_of(reader) is not None for reader in readers):
            return True
        return value not in self._free and any(self._stages[r] > number for op in readers for r in op.results)

    def _around(self, op: Operation) -> Operation:
        """The op of the function's block that an op is, or is in."""
        block = self._func.body.blocks[0]
        return next(around for around in (op, *ancestors(op)) if around.parent is block)

    def _described(self, value: SSAValue) -> dict[str, Attribute]:
        """The attributes of an argument that is the value: equal unknown sizes have one name."""
        described: dict[str, Attribute] = {attrs.NAME: StringAttr(self._names[value])}
        if isinstance(value.type, TensorType) and not value.type.has_static_shape():
            names = [StringAttr(_size_name(dim)) for dim in self._sizes[value].shape]
            described[attrs.SIZES] = ArrayAttr(names)
        return described


def _size_name(dim: Dim | None) -> str:
    """A name for a size that is not known, the same for equal ones."""
    if not isinstance(dim, Poly):
        return ""
    keys = ",".join(str(key) for key in sorted({symbol.key for symbol in dim.symbols}))
    return f"{dim} #{keys}" if keys != "0" else str(dim)


def _rows_of(op: Operation) -> RunTimeRows | None:
    return op.run_time_rows() if isinstance(op, RunTimeRowsBase) else None


def _unique_names(func: FuncOp) -> Mapping[SSAValue, str]:
    """A name for each value of the function's block, that of the source where there is one."""
    names: dict[SSAValue, str] = {}
    taken: set[str] = set()
    block = func.body.blocks[0]
    values: Iterable[SSAValue] = (*block.args, *(result for op in block.ops for result in op.results))
    for value in values:
        name = argument_name(value) if isinstance(value, BlockArgument) else attrs.source_name(value)
        stem = name = name or value.name_hint or "value"
        while name in taken:
            name = f"{stem}/{len(taken)}"
        taken.add(name)
        names[value] = name
    return names
