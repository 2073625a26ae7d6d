"""`--specialize-pass`: unknown sizes become numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from typing_extensions import Self
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import defined_functions
from lastuse.dialect.storage.argument_names import argument_name
from lastuse.dialect.storage.specialization import specialize, unknown_sizes


@dataclass(frozen=True)
class SpecializePass(ModulePass):
    """Bind unknown sizes to numbers, in every function.

    Requires: verified IR, no recursive function.
    Guarantees: every `?` that follows from the bound sizes is a number in every type: sizes propagate through
        loops, branches and calls. If calls of a function differ in sizes, each set of sizes has a copy of the function
        (`step`, `step_1`, …). A size that changes from one iteration to the next, or differs between two
        arms, is an error at the op that passes it on.
        A plan for each unit of a size (`dnn.unit`) becomes one in bytes when that size is bound.
    Leaves alone: sizes that are not bound; other decisions.
    Example: `--specialize-pass=words=1244` makes `tensor<?x1xi64> {dnn.name = "words"}` a `tensor<1244x1xi64>`.

    Options:
        an unknown size has the name of its argument (`dnn.name`, else its name in the text), or `name.axis` if the
        argument has several. `name.axis` is always accepted, so that sizes of one argument may be bound one
        after the other. A name that another argument has too has a number behind it: `%x_1` and `%x_2` are read as
        `%x`, and are `x` and `x.1` here. Inside `-p`, where names may not hold a dot, `_` stands for any other
        character.
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
        functions = defined_functions(op)
        unused, bound = set(self.sizes), dict[FuncOp, dict[str, int]]()
        for func in functions:
            names = _names_of_symbols(func, self.sizes)
            unused -= set(names.values())
            bound[func] = {symbol: self.sizes[name] for symbol, name in names.items()}
        if unused:
            known = sorted({s for f in functions for s in unknown_sizes(f)})
            hint = f"; unknown sizes are {', '.join(known)}" if known else "; no size is unknown"
            raise LastuseError(f"no unknown size is called {', '.join(sorted(unused))}{hint}", op)
        specialize(op, bound)


def _names_of_symbols(func: FuncOp, sizes: Collection[str]) -> dict[str, str]:
    """For each symbol that an option binds, the name that the option has."""
    plain = {re.sub(r"\W", "_", name): name for name in sizes}
    names: dict[str, str] = {}
    for symbol, (index, axis) in unknown_sizes(func).items():
        # With its axis it keeps its name when it is the last one of its argument.
        for name in (symbol, f"{argument_name(func.args[index])}.{axis}"):
            option = name if name in sizes else plain.get(re.sub(r"\W", "_", name))
            if option is not None and (option == name or re.sub(r"\W", "_", option) == option):
                names[symbol] = option
                break
    return names
