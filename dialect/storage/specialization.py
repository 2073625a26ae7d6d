"""Unknown sizes of a module become numbers, in every type that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, ModuleOp, StringAttr, SymbolRefAttr, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

from lastuse.dialect.ir.diagnostics import LastuseError, clone_located
from lastuse.dialect.ir.flow_graphs import callee_of, calls_in, functions_of, reverse_postorder, topological_order
from lastuse.dialect.ir.region_branches import forwarded_operands, inline_region
from lastuse.dialect.ir.remembered import changing_ops
from lastuse.dialect.ir.tensor_types import Dim, sized_type, static_shape
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import symbol_names
from lastuse.dialect.storage.attrs import display_name
from lastuse.dialect.storage.shape_inference import Inference, infer_reachable


def unknown_sizes(func: FuncOp) -> dict[str, tuple[int, int]]:
    """(argument, axis) of every unknown size of the arguments, by name; the first one where several have one name."""
    return {name: places[0] for name, places in _places_of_sizes(func).items()}


def _places_of_sizes(func: FuncOp) -> dict[str, list[tuple[int, int]]]:
    """Every (argument, axis) of an unknown size, by its name."""
    places: dict[str, list[tuple[int, int]]] = {}
    for place, name in sorted(symbol_names(func.body.blocks[0]).items()):
        places.setdefault(name, []).append(place)
    return places


@changing_ops()
def specialize(module: ModuleOp, bound: Mapping[FuncOp, Mapping[str, int]]) -> None:
    """Replace unknown sizes of functions by numbers, and every size that follows from them.

    A function that is called takes the sizes it is called with. Where calls differ in them, each kind of call gets a
    copy of the function.

    Args:
        bound: by function, a number for each of the unknown sizes named.

    Raises:
        LastuseError: the numbers contradict each other or the program.
    """
    functions, calls = functions_of(module), dict[str, list[CallOp]]()
    for func in topological_order(functions):
        kinds = _kinds(calls.get(func.sym_name.data, []))
        others = [_copied(func, kind) for kind in kinds[1:]]
        for copy, kind in zip((func, *others), kinds or [[]], strict=True):
            _specialize(copy, bound.get(func, {}), kind)
            for call in calls_in(copy):
                calls.setdefault(callee_of(call), []).append(call)
    for call in (c for sites in calls.values() for c in sites if callee_of(c) in functions):
        returned = functions_of(module)[callee_of(call)].function_type.outputs.data
        if tuple(returned) != tuple(call.result_types):
            raise LastuseError(f"@{callee_of(call)} returns other sizes than are known here: bind them all", call)


def _kinds(calls: Sequence[CallOp]) -> list[list[CallOp]]:
    """Calls of one function, those with operands of the same types together."""
    kinds: dict[tuple[Attribute, ...], list[CallOp]] = {}
    for call in calls:
        kinds.setdefault(tuple(v.type for v in call.operands), []).append(call)
    return list(kinds.values())


def _copied(func: FuncOp, calls: Sequence[CallOp]) -> FuncOp:
    """A copy of a function behind it, for `calls` alone, under a name of its own."""
    module = func.parent_op()
    assert isinstance(module, ModuleOp)
    names = {f.sym_name.data for f in module.body.ops if isinstance(f, FuncOp)}
    name = next(n for k in count(1) if (n := f"{func.sym_name.data}_{k}") not in names)
    copy = clone_located(func)
    copy.sym_name = StringAttr(name)
    module.body.block.insert_op_after(copy, func)
    for call in calls:
        call.callee = SymbolRefAttr(name)
    return copy


def _specialize(func: FuncOp, sizes: Mapping[str, int], calls: Sequence[CallOp]) -> None:
    """One function; `calls` are those that call it, with operands of one kind."""
    for symbol, places in _places_of_sizes(func).items():
        if symbol not in sizes:
            continue
        for index, axis in places:
            argument = func.args[index]
            _retype(argument, [sizes[symbol] if a == axis else d for a, d in enumerate(static_shape(argument.type))])
        if func.attributes.get(attrs.UNIT) == StringAttr(symbol):
            attrs.scale_plan(func, sizes[symbol])
    for call in calls[:1]:
        for index, operand in enumerate(call.operands):
            _take(func, index, operand, call)
    # Inferred from numbers, not put into polynomials: a slice's size is none, and follows all the same.
    retype_inferred(func)
    update_signature(func)


def update_signature(func: FuncOp) -> None:
    """Gives a function the types that its arguments and returned values have by now.

    Raises:
        LastuseError: what becomes one value has two types.
    """
    for op in func.walk():
        if op.regions or op.successors:
            _check_forwarded_operands(op)
    func.function_type = FunctionType.from_lists([a.type for a in func.args], _returned(func))


def retype_inferred(func: FuncOp) -> Inference:
    """Gives every value of a function the sizes that are known, and replaces each branch whose condition is known by
    the region that runs: ops in the other one need not fit these sizes. Returns what was inferred."""
    inference = infer_reachable(func)
    sizes = {_retype(value, info.known): info for value, info in inference.sizes.items()}
    for branch, region in inference.regions.items():
        inline_region(branch, region)
    return inference._replace(sizes=sizes)


def _take(func: FuncOp, index: int, operand: SSAValue, call: CallOp) -> None:
    """An argument has the sizes it is called with."""
    argument = func.args[index]
    if isinstance(argument.type, TensorType) and isinstance(operand.type, TensorType):
        pairs = zip(static_shape(argument.type), static_shape(operand.type), strict=True)
        _retype(argument, [operand_size if size is None else size for size, operand_size in pairs])
    argument = func.args[index]
    if argument.type != operand.type:
        takes = f"@{callee_of(call)} takes {argument.type} for {display_name(argument)}"
        raise LastuseError(f"{takes}, and the call gives {operand.type}", call)


def _check_forwarded_operands(op: Operation) -> None:
    """What becomes one value has one size. Where a loop carries a tensor that grows, or the arms of a branch make
    different sizes, there is none that storage could be planned for."""
    for mover, sources, targets in forwarded_operands(op):
        for source, target in zip(sources, targets, strict=True):
            if source.type != target.type:
                why = f"{display_name(source)} is {source.type}"
                why += f", and {display_name(target)}, which it becomes, {target.type}"
                raise LastuseError(f"{why}: its size changes, or follows from one that is not bound", mover)


def _returned(func: FuncOp) -> Sequence[Attribute]:
    """The types of what a function returns."""
    returns = [b.last_op for b in reverse_postorder(func.body) if isinstance(b.last_op, ReturnOp)]
    if not returns:
        return func.function_type.outputs.data
    first = tuple(v.type for v in returns[0].operands)
    for other in returns[1:]:
        if first != tuple(v.type for v in other.operands):
            notes = [(returns[0], "returned here")]
            raise LastuseError("this return has other sizes than another one: a size changes", other, notes)
    return first


def _retype(value: SSAValue, shape: Sequence[Dim | None]) -> SSAValue:
    """Gives a value these sizes; the value that has them."""
    type_ = value.type
    assert isinstance(type_, TensorType)
    sizes = [d if isinstance(d, int) else DYNAMIC_INDEX for d in shape]
    if list(type_.get_shape()) == sizes:
        return value
    return Rewriter.replace_value_with_new_type(value, sized_type(type_.element_type, tuple(sizes), type_.encoding))
