"""Programs whose functions are called through others of unknown rank."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnitAttr, UnrankedTensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.dialects.tensor import CastOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter


def call_through_unranked(module: ModuleOp) -> None:
    """Makes each function one that calls another, which takes and returns tensors of unknown rank."""
    for func in [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]:
        inputs, outputs = func.function_type.inputs.data, func.function_type.outputs.data
        name, around = f"{func.sym_name.data}_unranked", Block(arg_types=inputs)
        for new, old in zip(around.args, func.body.blocks[0].args, strict=True):
            new.name_hint = old.name_hint
        _cast_boundary(func)
        call = CallOp(name, [_cast(a, _without_rank(a.type), around) for a in around.args], list(_types(outputs)))
        around.add_op(call)
        around.add_op(ReturnOp(*[_cast(r, t, around) for r, t in zip(call.results, outputs, strict=True)]))
        types = [*_types(inputs)], [*_types(outputs)]
        body, entries = func.detach_region(func.body), func.arg_attrs
        helper = FuncOp(name, types, body, StringAttr("private"), arg_attrs=entries)
        helper.attributes["no_inline"] = UnitAttr()
        made = FuncOp(func.sym_name.data, (list(inputs), list(outputs)), Region(around), arg_attrs=entries)
        module.body.block.insert_ops_before([helper, made], func)
        func.detach()
        func.erase()


def _types(types: tuple[Attribute, ...]) -> Iterator[Attribute]:
    yield from map(_without_rank, types)


def _without_rank(type_: Attribute) -> Attribute:
    return UnrankedTensorType(type_.element_type) if isinstance(type_, TensorType) else type_


def _cast(value: SSAValue, type_: Attribute, block: Block, before: Operation | None = None) -> SSAValue:
    if value.type == type_:
        return value
    cast = CastOp(value, type_)  # pyright: ignore
    if before is None:
        block.add_op(cast)
    else:
        block.insert_op_before(cast, before)
    return cast.dest


def _cast_boundary(func: FuncOp) -> None:
    """What a function takes and returns is of unknown rank; inside it is what it was."""
    entry = func.body.blocks[0]
    first = entry.first_op
    assert first is not None
    for argument in [*entry.args]:
        type_ = argument.type
        if isinstance(type_, TensorType):
            new = Rewriter.replace_value_with_new_type(argument, _without_rank(type_))
            uses, ranked = [*new.uses], _cast(new, type_, entry, first)
            for use in uses:
                use.operation.operands[use.index] = ranked
    for block in func.body.blocks:
        if isinstance(last := block.last_op, ReturnOp):
            for number, value in enumerate([*last.operands]):
                last.operands[number] = _cast(value, _without_rank(value.type), block, last)
