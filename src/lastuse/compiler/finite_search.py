"""Runs that end where the loss is not finite (`dnn.require_finite`): inputs are restored, and the op is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from lastuse.dialect.dnn.attributes import is_float
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.finite_check import NotFiniteError
from lastuse.dialect.ir.diagnostics import op_name
from lastuse.dialect.ir.flow_graphs import main_function
from lastuse.dialect.ir.tensor_types import typed
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.passes.transforms.add_outputs import fetch_value
from lastuse.runtime.arrays import Arrays, as_array

Run = Callable[[Arrays, Arrays | None], dict[str, np.ndarray]]
"""Results for inputs, some of them in arrays of the caller."""
NaiveRun = Callable[[ModuleOp, Arrays], Mapping[str, np.ndarray]]
"""Results of a module, which is run without decisions."""


class LossCheck:
    """Runs a program whose loss may have to be finite."""

    def __init__(
        self, unprotected: Sequence[str] | None, undecided: Callable[[Arrays], ModuleOp | None], run: NaiveRun
    ) -> None:
        """
        Args:
            unprotected: `unprotected_inputs` of what is run.
            undecided: the module for some inputs, a copy before anything is decided; None where there is none.
            run: runs such a module.
        """
        self._unprotected, self._undecided, self._run = unprotected, undecided, run

    def run(self, run: Run, inputs: Arrays, out: Arrays | None, number: int | None = None) -> dict[str, np.ndarray]:
        """What `run` makes of the inputs.

        Args:
            number: of the step, where it is known.

        Raises:
            NotFiniteError: the loss has to be finite, and is not. The inputs are as they were; the error names the
                first op that made a number that is not finite, where the model is there to find it.
            LastuseError: as `run`.
        """
        if self._unprotected is None:
            return run(inputs, out)
        kept = {name: np.array(as_array(inputs[name], name)) for name in self._unprotected if name in inputs}
        try:
            return run(inputs, out)
        except NotFiniteError as error:
            for name, array in kept.items():
                np.copyto(as_array(inputs[name], name), array)
            module = self._undecided(inputs)
            found = (first_not_finite(module, inputs, self._run) if module is not None else None) or error
            step = "" if number is None else f"step {number}: "
            raise NotFiniteError(f"{step}the loss is not finite: {found.message}", found.location) from None


def unprotected_inputs(func: FuncOp) -> tuple[str, ...] | None:
    """Names of the inputs that a run may have written over when it ends early: all that it may write over, but for
    those whose successors wait for the number that has to be finite. None where no number has to be."""
    if required_value(func) is None:
        return None
    written = set(attrs.writable_arguments(func))
    last = func.body.block.last_op if len(func.body.blocks) == 1 else None
    for number, value in enumerate(last.operands if last is not None else ()):
        tied = attrs.tied_argument(func, number)
        if (
            tied is not None
            and isinstance(value, OpResult)
            and any(_is_checked(operand) for operand in value.op.operands)
        ):
            written.discard(tied)
    return tuple(argument_name(func.args[index]) for index in sorted(written))


def _is_checked(value: SSAValue) -> bool:
    return isinstance(value.owner, DnnOp) and value.owner.required_finite() is not None


def required_value(func: FuncOp) -> SSAValue | None:
    """The value that has to be finite in every run of a function, if there is one."""
    values = (op.required_finite() for op in func.body.walk() if isinstance(op, DnnOp))
    return next((value for value in values if value is not None), None)


def first_not_finite(module: ModuleOp, inputs: Arrays, run: NaiveRun) -> NotFiniteError | None:
    """The error that names what made the number that has to be finite another one: the first op, of those that it
    depends on, with a result that is not finite, and operands that are; or an input. None where nothing is found.

    Args:
        module: of which a run ended early, before anything is decided; it is changed.
        inputs: of that run.
    """
    func = main_function(module)
    required = required_value(func)
    assert required is not None
    attrs.forget_all(func)
    needed = _ops_before(required)
    fetched = {value: f"value {k}" for k, value in enumerate(v for op in needed for v in op.results if _is_float(v))}
    _return_nothing(func)
    for value, name in fetched.items():
        fetch_value(func, value, name)
    found = run(module, inputs)
    arrays: dict[SSAValue, np.ndarray] = {value: found[name] for value, name in fetched.items()}
    read = {operand for op in needed for operand in _read(op)}
    for argument in func.args:
        if argument in read and argument_name(argument) in inputs:
            arrays[argument] = np.asarray(inputs[argument_name(argument)])
            if not np.isfinite(arrays[argument]).all():
                return NotFiniteError(f"{argument_name(argument)} is not finite from the start", func)
    wrong = {value for value, array in arrays.items() if not np.isfinite(array).all()}
    for op in needed:
        made = next((value for value in op.results if value in wrong), None)
        if made is not None and wrong.isdisjoint(_read(op)):
            number = arrays[made][~np.isfinite(arrays[made])].reshape(-1)[0]
            name = attrs.source_name(made) or made.name_hint
            called = f" ({name})" if name else ""
            return NotFiniteError(f"{op_name(op)}{called} is the first op that makes {number} of finite numbers", op)
    return None


def _return_nothing(func: FuncOp) -> None:
    """No result, nothing written over an input, and no op that ends a run."""
    for op in list(func.body.walk()):
        if isinstance(op, DnnOp) and op.required_finite() is not None:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.detach()
            op.erase()
    last = func.body.block.last_op
    assert last is not None
    last.operands = []
    func.function_type = FunctionType.from_lists(list(func.function_type.inputs.data), [])
    func.res_attrs = None
    for argument in func.args:
        attrs.set_argument_attribute(func, argument.index, attrs.DONATED, None)


def _ops_before(value: SSAValue) -> list[Operation]:
    """The ops of a function's block that a value is computed by, in order."""
    found, block = set[Operation](), value.owner.parent_block() if isinstance(value.owner, Operation) else None
    open_values = [value]
    while open_values:
        owner = open_values.pop().owner
        if isinstance(owner, Operation) and owner.parent_block() is block and owner not in found:
            found.add(owner)
            open_values += _read(owner)
    return [op for op in block.ops if op in found] if block is not None else []


def _read(op: Operation) -> list[SSAValue]:
    """What an op, or an op inside it, reads."""
    return [operand for inner in op.walk() for operand in inner.operands]


def _is_float(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and is_float(typed(value.type).dtype)
