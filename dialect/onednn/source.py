"""What a lowered module was made from: the functions as values, beside the steps that compute them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, region_def, traits_def
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolTable

RESULT = "onednn.result"
"""Attribute of an argument: the caller gives memory for the result of this name; of a result that is a scalar."""
LABEL = "onednn.op"
"""Attribute of an op of `onednn.source`: its name, unique in its function; of a step: the op that it is a step of."""


@irdl_op_definition
class SourceOp(IRDLOperation):
    """The functions that a module was lowered from, without decisions. They do not run: `--verify-lowering-pass` proves
    the lowered functions against them.

    Each op that is computed by steps has a name, `onednn.op`; each step has the name of the op that it belongs to.
    Arguments and results have the names by which the lowered function knows them.
    """

    name = "onednn.source"
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), IsolatedFromAbove(), SymbolTable())
    assembly_format: ClassVar = "attr-dict-with-keyword $body"

    def __init__(self, functions: Sequence[FuncOp]) -> None:
        super().__init__(regions=[Region(Block(functions))])

    @property
    def functions(self) -> dict[str, FuncOp]:
        """The functions by name."""
        return {op.sym_name.data: op for op in self.body.block.ops if isinstance(op, FuncOp)}


def source_of(module: ModuleOp) -> SourceOp | None:
    """What a module was lowered from; None where it does not say so."""
    return next((op for op in module.body.block.ops if isinstance(op, SourceOp)), None)
