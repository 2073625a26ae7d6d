"""What a call may do to the memory of its operands, as the function that is called promises it.

A result of a function with a body is *tied* to an argument (`dnn.tied`: it ends in that memory, which the function may
write), or *lent* (`dnn.lent`: it is returned in the memory of one of these arguments, which the function does not
write, or in new memory). Where every result that is a tensor says one of these, the contract of a
call says where its results lie; otherwise a call is foreign. `--verify-storage-pass` holds functions to these promises.

A function without a body says with `bufferization.access` of an argument what it does to it: `none`, `read`, `write`
or `read-write`. Without that it may write it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, ShapedType, StringAttr, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument

from lastuse.dialect.ir.flow_graphs import ancestors, callee_of, named_functions
from lastuse.dialect.storage import attrs

ACCESS = "bufferization.access"
"""What a function does to an argument, as MLIR's bufferization names it."""
WRITABLE = "bufferization.writable"
"""Whether a function may write an argument, as MLIR's bufferization names it."""
KEPT = frozenset({"none", "read"})
"""The values of `bufferization.access` with which an argument is not written."""


def is_kept(argument: BlockArgument) -> bool:
    """`bufferization.writable` says that the function may not write an argument."""
    stated = attrs.argument_attributes(argument).get(WRITABLE)
    return isinstance(stated, IntegerAttr) and stated.value.data == 0


def called_function(call: CallOp) -> FuncOp | None:
    """The function that a call calls, with or without a body; None where the module does not have it."""
    module = next((around for around in ancestors(call) if isinstance(around, ModuleOp)), None)
    return named_functions(module).get(callee_of(call)) if module is not None else None


def access_of(func: FuncOp, index: int) -> str | None:
    """What `bufferization.access` of an argument says; None without it."""
    entries = func.arg_attrs.data if func.arg_attrs is not None else ()
    stated = entries[index].data.get(ACCESS) if index < len(entries) else None
    return stated.data if isinstance(stated, StringAttr) else None


def may_be_written(func: FuncOp) -> frozenset[int]:
    """Numbers of the arguments, tensors or memrefs, that a call of the function may write."""
    if func.body.blocks:
        return attrs.writable_arguments(func)
    types = enumerate(func.function_type.inputs.data)
    return frozenset(k for k, t in types if isinstance(t, ShapedType) and access_of(func, k) not in KEPT)


def written_operands(call: CallOp) -> frozenset[int]:
    """Numbers of the operands whose memory the call may write, if they themselves are passed."""
    func = called_function(call)
    if func is not None:
        return may_be_written(func)
    return frozenset(k for k, v in enumerate(call.operands) if isinstance(v.type, TensorType))


def operands_under(call: CallOp, result: int) -> Sequence[int]:
    """Numbers of the operands in whose memory a result of a call may be, where the function has a body: what the
    function promises, else what it is given."""
    func = called_function(call)
    if func is None or not func.body.blocks:
        return range(len(call.operands))
    lent = attrs.lent_arguments(func, result)
    if lent is None and attrs.tied_argument(func, result) is None:
        lent = sorted(attrs.operands_given_away(call))
    return [k for k in lent or () if k < len(call.operands)]
