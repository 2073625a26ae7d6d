"""`--specialize-pass`: unknown sizes become numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from typing_extensions import Self
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.arg_spec import ArgSpec

from ..dialect.diagnostics import LastuseError
from ..dialect.shape import Dim, static_shape
from ..dialect.sizes import infer_sizes, symbol_name


@dataclass(frozen=True)
class SpecializePass(ModulePass):
    """Bind unknown sizes of arguments to numbers, in every function that has them.

    Requires: verified IR.
    Guarantees: every `?` that follows from the bound sizes is a number in every type.
    Leaves alone: sizes nobody bound; decisions.
    Example: `--specialize-pass=words=1244` makes `tensor<?x1xi64> {dnn.name = "words"}` a `tensor<1244x1xi64>`.

    Options:
        an unknown size is called as its argument is (`dnn.name`, else its name in the text), `name.axis` where the
        argument has several; inside `-p`, where names may not hold a dot, `_` stands for any other character.
    """

    name: ClassVar[str] = "specialize-pass"

    sizes: Mapping[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Every option is a size: there is no fixed set of names."""
        bound: dict[str, int] = {}
        for name, values in spec.parameters.items():
            if len(values) != 1 or isinstance(values[0], bool) or not isinstance(values[0], int) or values[0] < 0:
                raise ValueError(f"size {name} must be one number, not negative")
            bound[name] = values[0]
        return cls(bound)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.walk() if isinstance(f, FuncOp) and f.body.blocks]
        unused = set(self.sizes)
        for func in functions:
            bound = _bound(func, self.sizes)
            unused -= {given for given, _ in bound.values()}
            specialize(func, {symbol: size for symbol, (_, size) in bound.items()})
        if unused:
            known = sorted({s for f in functions for s in unknown_sizes(f)})
            there = f"; unknown sizes are {', '.join(known)}" if known else "; no size is unknown"
            raise LastuseError(f"no unknown size is called {', '.join(sorted(unused))}{there}", op)


def unknown_sizes(func: FuncOp) -> dict[str, tuple[int, int]]:
    """(argument, axis) of every unknown size of the arguments, by name."""
    return {
        symbol_name(argument, axis): (argument.index, axis)
        for argument in func.args
        if isinstance(argument.type, TensorType)
        for axis, size in enumerate(static_shape(argument.type))
        if size is None
    }


def _bound(func: FuncOp, sizes: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """Symbol to (name as given, number)."""
    plain = {re.sub(r"\W", "_", name): name for name in sizes}
    found: dict[str, tuple[str, int]] = {}
    for symbol in unknown_sizes(func):
        given = symbol if symbol in sizes else plain.get(re.sub(r"\W", "_", symbol))
        if given is not None and (given == symbol or re.sub(r"\W", "_", given) == given):
            found[symbol] = given, sizes[given]
    return found


def specialize(func: FuncOp, sizes: Mapping[str, int]) -> None:
    """Replace the unknown sizes named in `sizes` by numbers, and every size that follows from them.

    Raises:
        LastuseError: the numbers contradict each other or the program.
    """
    for symbol, (index, axis) in unknown_sizes(func).items():
        if symbol in sizes:
            argument = func.args[index]
            _retype(argument, [sizes[symbol] if a == axis else d for a, d in enumerate(static_shape(argument.type))])
    # Inferred from numbers, not put into polynomials: a slice's size is none, and follows all the same.
    for value, type_ in infer_sizes(func).items():
        _retype(value, type_.known)
    block = func.body.blocks.first
    last = func.get_return_op()
    outputs = [v.type for v in last.operands] if last is not None else list(func.function_type.outputs.data)
    inputs: list[Attribute] = [a.type for a in block.args] if block is not None else []
    func.function_type = FunctionType.from_lists(inputs, outputs)


def _retype(value: SSAValue, shape: Sequence[Dim | None]) -> None:
    type_ = value.type
    assert isinstance(type_, TensorType)
    sizes = [d if isinstance(d, int) else DYNAMIC_INDEX for d in shape]
    if list(type_.get_shape()) != sizes:
        Rewriter.replace_value_with_new_type(value, TensorType(type_.element_type, sizes, type_.encoding))
