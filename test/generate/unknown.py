"""Programs with unknown sizes: drawn ones with sizes taken out of their types, and loops that carry a value whose size
changes from turn to turn."""

from __future__ import annotations

import random

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from lastuse.dialect.storage.contract import contract_of

from . import Generated, random_program
from .flow import random_flow_program

SIZES = ({2}, {3}, {2, 3}, set(range(64)))
"""Sizes that become unknown together."""


def random_open_program(seed: int) -> ModuleOp:
    """A drawn program with unknown sizes, nothing tied. It need not be well-formed: some ops have to know a size."""
    chance = random.Random(seed)
    drawn: Generated = chance.choice([random_program, random_flow_program, random_flow_program])(seed)
    forget_sizes(drawn.module, chance)
    pass_on_others(drawn.module, chance)
    return drawn.module


def forget_sizes(module: ModuleOp, chance: random.Random) -> None:
    """Take some sizes out of the types of all values but those that ops without operands make."""
    sizes = chance.choice(SIZES)

    def without(type_: Attribute) -> Attribute:
        if not isinstance(type_, TensorType):
            return type_
        return TensorType(type_.element_type, [DYNAMIC_INDEX if n in sizes else n for n in type_.get_shape()])

    for op in list(module.walk()):
        if isinstance(op, FuncOp):
            types = [[without(t) for t in side] for side in (op.function_type.inputs, op.function_type.outputs)]
            op.function_type, op.res_attrs = FunctionType.from_lists(*types), None
        made = op.results if op.operands and not contract_of(op).constant else ()
        for value in (*made, *(a for region in op.regions for block in region.blocks for a in block.args)):
            Rewriter.replace_value_with_new_type(value, without(value.type))


def pass_on_others(module: ModuleOp, chance: random.Random) -> None:
    """Let loops and branches pass on other values of the type that is wanted: of another size, perhaps."""
    for op in module.walk():
        if isinstance(op, scf.YieldOp | cf.BranchOp) and (block := op.parent) is not None:
            for index, passed in enumerate(op.operands):
                alike = [r for o in block.ops for r in o.results if r.type == passed.type]
                if alike and chance.random() < 0.5:
                    op.operands[index] = chance.choice(alike)
