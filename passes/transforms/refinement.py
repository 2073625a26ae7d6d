"""Shapes and contents of small tensors, to a fixed point: dynamic forms become static, known branches go, ops fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.constants import ConstantOp
from lastuse.dialect.dnn.contents import MovesElementsBase
from lastuse.dialect.dnn.dynamic import DynamicOp
from lastuse.dialect.ir.diagnostics import (
    LastuseError,
    NeedsValuesError,
    RemarkKind,
    UnsupportedError,
    op_name,
    remark,
    wants_remarks,
)
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.ir.tensor_types import MAX_CONTENT, Poly, TensorInfo, typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.contract import contract_of
from lastuse.dialect.storage.dependences import data_dependences
from lastuse.dialect.storage.shape_inference import infer_reachable
from lastuse.dialect.storage.specialization import retype_inferred, unknown_sizes, update_signature
from lastuse.passes.transforms.constant_folding import (
    constant_elements,
    constant_of,
    constants_of,
    fold_results,
    replace_with_constant,
)
from lastuse.passes.transforms.engine import replace_engine
from lastuse.passes.transforms.run_time_stages import stages_of
from lastuse.passes.transforms.simplify import erase_dead

MOST_GENERATED = 1 << 30
"""Bytes of a parameter that is computed from sizes alone while compiling."""
GROWTH = 8
"""A constant that is computed while compiling has at most so many times the bytes of those it is computed from."""


def refine(ctx: Context, module: ModuleOp, views: bool = False) -> None:
    """Refines every function of a module.

    Args:
        views: dense parts of constants are views of these.

    Raises:
        LastuseError: the sizes of operands do not fit an op; or the size of a result depends on data.
    """
    for func in defined_functions(module):
        while _refine_once(ctx, func, views):
            pass
        update_signature(func)
    erase_dead(ctx, module)
    if attrs.UNREFINED in module.attributes and not _has_unknown_content(module):
        del module.attributes[attrs.UNREFINED]
    for func in defined_functions(module):
        if not unknown_sizes(func):
            _refuse_unknown(func)


def needs_refinement(module: ModuleOp) -> bool:
    """Whether an op waits for contents: it is in its form with operands, or a size of a result is not known; or the
    module is as a front end made it (`dnn.unrefined`), and nothing in it has been decided."""
    waiting = any(
        isinstance(op, DynamicOp) or (isinstance(op, DnnOp) and any(_has_unknown_size(r) for r in op.results))
        for op in module.walk()
    )
    return waiting or (attrs.UNREFINED in module.attributes and not attrs.has_decisions(module))


def _has_unknown_content(module: ModuleOp) -> bool:
    """Whether elements are known but for sizes that are not: once these are bound, more ops can be computed."""
    return any(
        isinstance(element, Poly)
        for func in defined_functions(module)
        if unknown_sizes(func)
        for info in infer_reachable(func).sizes.values()
        for element in info.content or ()
    )


def _refine_once(ctx: Context, func: FuncOp, views: bool) -> bool:
    """One round over a function; whether it made anything known that may make more known."""
    inference = retype_inferred(func)
    again, sizes = bool(inference.regions), dict(inference.sizes)
    for op in list(func.walk()):
        if isinstance(op, DynamicOp):
            again |= _make_static(ctx, op, sizes)
        elif isinstance(op, DnnOp) and not isinstance(op, ConstantOp):
            if not (views and _view(ctx, op, sizes)):
                _fold(ctx, op, sizes)
            if op.parent is not None:
                again |= _simplify(ctx, op, sizes)
            if op.parent is not None and isinstance(op, MovesElementsBase):
                _hand_on(ctx, op)
    return again


def _make_static(ctx: Context, op: DynamicOp, sizes: dict[SSAValue, TensorInfo]) -> bool:
    try:
        static = op.static([sizes[value] for value in op.operands])
    except ValueError as error:
        raise LastuseError(f"{op.kind.data}: {error}", op) from None
    if static is None:
        return False
    if wants_remarks(ctx):
        names = " and ".join(op.value_names())
        remark(ctx, RemarkKind.DECISION, op, f"became dnn.{op.kind.data}: {names} known while compiling")
    sizes.update({new: sizes[old] for new, old in zip(static.results, op.results, strict=True)})
    Rewriter.replace_op(op, static)
    return True


def _fold(ctx: Context, op: DnnOp, sizes: dict[SSAValue, TensorInfo]) -> None:
    """Replaces an op by constants where its results are small and known, or it reads constants alone. A view of a
    constant costs nothing and stays, and so does an op whose result is much larger than what it reads."""
    if attrs.is_decided(op) or not op.COMPUTES or not op.results:
        return
    arrays = [sizes[result].numbers for result in op.results]
    constants: list[ConstantOp | None] = []
    name = op_name(op)
    if all(array is not None for array in arrays):
        for result, array in zip(op.results, arrays, strict=True):
            assert array is not None
            info = sizes[result]
            constant = replace_with_constant(result, array)
            constants.append(constant)
            if constant is not None:
                sizes[constant.y] = info
    elif _is_worth_folding(op, sizes):
        for result, constant in fold_results(op).items():
            constants.append(constant)
            sizes[constant.y] = sizes[result]
    for constant in constants:
        if constant is not None and wants_remarks(ctx):
            remark(ctx, RemarkKind.DECISION, constant, f"{name} is computed now")


def _view(ctx: Context, op: DnnOp, sizes: dict[SSAValue, TensorInfo]) -> bool:
    """Replaces an op of constants by a view of one of them; whether it did. Small integers, which may be sizes, are
    constants."""
    if attrs.is_decided(op) or not op.operands or any(constants_of(value) is None for value in op.operands):
        return False
    if any(sizes[result].numbers is not None and not is_float(sizes[result].dtype) for result in op.results):
        return False
    view = op.view_form(constant_elements)
    if view is None:
        return False
    if wants_remarks(ctx):
        remark(ctx, RemarkKind.DECISION, op, f"became a view of {display_name(op.operands[0])}: its part is dense")
    makers: list[Operation] = []
    source = view.operands[0].owner
    while isinstance(source, DnnOp) and source.parent is None:
        makers.insert(0, source)
        source = source.operands[0].owner
    replace_engine(view, op)
    for maker in makers:
        sizes.update({result: typed(result.type) for result in maker.results})
    sizes.update({new: sizes[old] for new, old in zip(view.results, op.results, strict=True)})
    Rewriter.replace_op(op, [*makers, view], list(view.results))
    return True


def _simplify(ctx: Context, op: DnnOp, sizes: dict[SSAValue, TensorInfo]) -> bool:
    """Replaces an op by one that reads less, for what its operands are; whether that may tell sizes."""
    simpler = None if attrs.is_decided(op) else op.simplified(_elements)
    if simpler is None:
        return False
    if wants_remarks(ctx):
        remark(ctx, RemarkKind.DECISION, op, f"became {op_name(simpler)}: {op.SIMPLER_BECAUSE}")
    replace_engine(simpler, op)
    sizes.update({new: sizes[old] for new, old in zip(simpler.results, op.results, strict=True)})
    Rewriter.replace_op(op, simpler)
    return any(map(_has_unknown_size, simpler.results))


def _hand_on(ctx: Context, op: DnnOp) -> None:
    """Ops read the operand of a view that is all of it, in the same order and shape."""
    if len(op.results) != 1 or not op.operands or op.results[0].type != op.operands[0].type or attrs.is_decided(op):
        return
    view, sizes = contract_of(op).view_of(0), typed(op.results[0].type).shape
    if view is None or view.operand != 0 or not view.whole or sizes.count(None) > 1:
        return  # two sizes that are not known may be others than those of the operand
    readers = [use for use in op.results[0].uses if not use.operation.has_trait(IsTerminator)]
    for use in readers:
        use.operation.operands[use.index] = op.operands[0]
    if readers and wants_remarks(ctx):
        remark(ctx, RemarkKind.DECISION, op, "its operand is read in its place: it is the same")


def _elements(value: SSAValue) -> np.ndarray | None:
    constant = constant_of(value)
    return None if constant is None else constant.array()


def _is_worth_folding(op: DnnOp, sizes: Mapping[SSAValue, TensorInfo]) -> bool:
    if not op.operands:
        return _is_parameter(op, sizes)
    if any(constants_of(value) is None for value in op.operands):
        return False
    made, read = (_known_bytes(values, sizes) for values in (op.results, op.operands))
    is_view = any(contract_of(op).view_of(number) is not None for number in range(len(op.results)))
    return len(made) == len(op.results) and sum(made) <= GROWTH * sum(read) and not is_view


def _is_parameter(op: DnnOp, sizes: Mapping[SSAValue, TensorInfo]) -> bool:
    """Whether an op without operands makes what other ops read as their parameters, as weights of models that state no
    more than their sizes: nothing can be computed over it, nor is it a part of a result."""
    made = _known_bytes(op.results, sizes)
    if len(made) < len(op.results) or sum(made) > MOST_GENERATED or contract_of(op).constant:
        return False
    return all(_reads_parameter(use) for result in op.results for use in result.uses)


def _reads_parameter(use: Use) -> bool:
    op, number = use.operation, use.index
    if not isinstance(op, DnnOp):
        return False
    contract, type_ = contract_of(op), op.operands[number].type
    views = [view for view in contract.views if view.operand == number]
    if views:
        return all(_reads_parameter(use) for view in views for use in op.results[view.result].uses)
    over = any(rule.operand == number and op.results[rule.result].type == type_ for rule in contract.over)
    part = any(source.operand == number for source in contract.contributions)
    handed_on = contract.foreign or any(operand == number for _, operand in contract.forwards)
    return not (over or part or handed_on or number in contract.copies)


def _known_bytes(values: Iterable[SSAValue], sizes: Mapping[SSAValue, TensorInfo]) -> list[int]:
    return [size for value in values if isinstance(size := sizes[value].bytes, int)]


def _refuse_unknown(func: FuncOp) -> None:
    """Raises at the first op of a function without unknown sizes that makes a size that is not known."""
    stages = stages_of(func)
    for op in func.walk():
        if not isinstance(op, DnnOp) or not any(_has_unknown_size(result) for result in op.results):
            continue
        if any(stages.get(value, 0) for value in (*op.operands, *op.results)):
            continue  # a number of the run decides it
        if isinstance(op, DynamicOp):
            names = [name for name, value in op.value_operands().items() if constant_of(value) is None]
            what = f"dnn.{op.kind.data}: {' and '.join(names)} must be known while compiling"
            _refuse(op, what, op.value_operands().values())
        _refuse(op, f"{op_name(op)}: the sizes of its results must be known while compiling", op.operands)


def shape_inputs(func: FuncOp) -> list[str]:
    """The arguments whose elements decide sizes of values.

    Raises:
        LastuseError: the sizes of operands do not fit an op.
    """
    waiting = [op for op in func.walk() if isinstance(op, DynamicOp)]
    sizes, stages = (infer_reachable(func).sizes, stages_of(func)) if waiting else ({}, {})
    values: list[SSAValue] = []
    for op in waiting:
        if any(stages.get(value, 0) for value in op.operands):
            continue  # a number of the run decides it
        dims = [dim for result in op.results if result in sizes for dim in sizes[result].known]
        if any(symbol.key for dim in dims if isinstance(dim, Poly) for symbol in dim.symbols):
            values += op.value_operands().values()
    return [argument_name(argument) for argument in data_dependences(values).arguments]


def _has_unknown_size(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not value.type.has_static_shape()


def _refuse(op: Operation, what: str, values: Iterable[SSAValue]) -> None:
    arguments = data_dependences(value for value in values if constant_of(value) is None).arguments
    shown = " and ".join(display_name(argument) for argument in arguments)
    message = f"{what}, and depend on {shown or 'data'}"
    small = [a for a in arguments if isinstance(a.type, TensorType) and prod(a.type.get_shape()) <= MAX_CONTENT]
    if not small:
        raise UnsupportedError(message, op)
    raise NeedsValuesError(message, op, (), [argument_name(argument) for argument in small])
