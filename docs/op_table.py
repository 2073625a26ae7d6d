"""docs/ops.md: the table of the dnn dialect's ops and of what each may be written over, from the op classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint

from lastuse.dialect.dnn import OPERATIONS
from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.dnn.example import example_of, example_text, operand_names
from lastuse.dialect.dnn.gradient_builder import GradientBuilder
from lastuse.dialect.storage.contract import ALL_ENGINES, ENGINE, Contract, Engine, InPlace, contract_of

HEAD = """\
# The ops of the dnn dialect

<!-- Written by docs/generate.py from the op classes; `make docs` writes it again. -->

What each op means is the first sentence of its class in `dialect/dnn/`; the class says the rest: shapes, element types,
attributes, where the semantics come from. *In place over* says which operands a result may be written over at their
last use, as the class's `storage()` declares it for the example; sizes, element types and places must be equal besides.
*Twice too*: the other operands may be exactly the same bytes. *By exchange*: the kernel exchanges it with the first
operand. *Engines* lists the engines that run the op on f32; other element types run on the cpu engine. *Gradient reads*
names the operands and results that the backward part reads. *Zero*: the result of the example is piecewise constant, or
integers, so no gradient flows through the op. Without an entry the op has no gradient: where one is needed is an error.

| op | meaning | in place over | engines | gradient reads |
|---|---|---|---|---|
"""

EXAMPLES = """
## Examples

One op of each class in generic form.

"""


def op_table() -> str:
    """The page: a row for every op, then an example of each."""
    rows = [_row(cls) for cls in OPERATIONS.values()]
    examples = [example_text(cls) for cls in OPERATIONS.values()]
    return HEAD + "\n".join(rows) + "\n" + EXAMPLES + "```mlir\n" + "\n".join(examples) + "\n```\n"


def _row(cls: type[DnnOp]) -> str:
    op = example_of(cls)
    return f"| `{cls.name}` | {meaning(cls)} | {_in_place(op)} | {_engines(op)} | {_gradient_reads(op)} |"


def meaning(cls: type[Operation]) -> str:
    """The first sentence of the class's docstring."""
    text = " ".join(inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) ", text)[0].replace("|", "\\|")


def _in_place(op: DnnOp) -> str:
    contract = contract_of(op)
    names = operand_names(op)
    if contract.constant:
        return "read-only memory of the model"
    if contract.views:
        return f"a view of {names[contract.views[0].operand]}"
    over = [f"{names[o.operand]}{_condition(o)}" for o in contract.over]
    over += _on_some_engines(op, contract, names)
    if parts := [names[c.operand] for c in contract.contributions if c.may_be_produced_in_place]:
        over.append(f"{', '.join(parts)} may be computed in place, as {'parts' if len(parts) > 1 else 'a part'}")
    return "; ".join(over) or "never"


def _condition(over: InPlace) -> str:
    """What is to be known beyond the operand's name."""
    notes = ["by exchange"] * over.by_swapping + ["twice too"] * over.allow_same_operand
    return f" ({', '.join(notes)})" if notes else ""


def _on_some_engines(op: DnnOp, contract: Contract, names: Sequence[str]) -> list[str]:
    """Operands that only some of several engines can write over, with these."""
    if contract.engines == ALL_ENGINES and op.primitive() is None:
        return []
    known = {o.operand for o in contract.over}
    engines: dict[int, list[str]] = {}
    for engine in sorted(contract.engines, key=list(Engine).index):
        pinned = op.clone()
        pinned.attributes[ENGINE] = StringAttr(engine.value)
        for operand in dict.fromkeys(o.operand for o in contract_of(pinned).over if o.operand not in known):
            engines.setdefault(operand, []).append(engine.value)
    return [f"{names[operand]} on {' and '.join(some)}" for operand, some in engines.items()]


def _engines(op: DnnOp) -> str:
    contract = contract_of(op)
    if op.primitive() is not None or Engine.NATIVE in contract.engines:
        return ", ".join(e.value for e in (Engine.ONEDNN, Engine.NATIVE, Engine.CPU) if e in contract.engines)
    if contract.views or contract.contributions or contract.constant:
        return "none: bytes are named or moved"
    return "any that has it" if contract.engines == ALL_ENGINES else "cpu"


def _gradient_reads(op: DnnOp) -> str:
    """What of the op the backward part reads; nothing is written where the op has no gradient."""
    op = op.training_form() or op
    backward = contract_of(op).backward
    if backward is None or type(op).gradient is DnnOp.gradient:
        return ""
    names = operand_names(op)
    reads = [names[k] for k in sorted(backward.operands)]
    results = [name for name, _ in op.get_irdl_definition().results]
    reads += [results[k] if len(results) == len(op.results) else f"result {k}" for k in sorted(backward.results)]
    return ", ".join(reads) or ("nothing" if _has_slope(op) else "zero")


def _has_slope(op: DnnOp) -> bool:
    """Whether a gradient flows through the op, which the gradient of the example says: it is built apart."""
    block = Block(arg_types=[value.type for value in (*op.operands, *op.results)])
    apart = op.clone(dict(zip(op.operands, block.args, strict=False)))
    block.add_op(apart)
    builder = GradientBuilder(Builder(InsertPoint.at_end(block)), apart)
    gradients = apart.gradient(block.args[len(op.operands) :], builder)
    return any(gradient is not None for gradient in gradients)
