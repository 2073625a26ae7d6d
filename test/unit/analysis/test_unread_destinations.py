"""An unread destination operand: which values may be in its bytes when the op writes."""

from __future__ import annotations

import pytest
from toy import OPAQUE, SHAPE_ONLY, Program, tensor, unary
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.storage import attrs
from lastuse.dialect.storage.contract import InPlace
from lastuse.passes.checker import check
from lastuse.passes.inplace import InplacePass


@pytest.mark.parametrize("strategy", ["nntrainer", "optimal"])
@pytest.mark.parametrize("repeats", [False, True])
def test_operand_in_the_bytes_of_an_unread_destination_is_not_overwritten(repeats: bool, strategy: str) -> None:
    """%w is written over %a, which is not read afterwards. An op that reads %w needs a permission to write over it."""
    program = Program(tensor(4))
    (a,) = program.op(OPAQUE, program.arguments, tensor(4), name="a")
    (w,) = program.op(unary(), [a], tensor(4), inplace=0, name="w")
    contract = SHAPE_ONLY._replace(over=(InPlace(0, 0, repeats),), strided=True)
    (r,) = program.op(contract, [a, w], tensor(4), name="r")
    (s,) = program.op(OPAQUE, [r], tensor(4), name="s")
    func = program.done(s)
    module = func.parent_op()
    assert isinstance(module, ModuleOp)
    InplacePass(strategy).apply(context(), module)
    assert check(func) == []
    assert attrs.inplace(r.owner) == (-1,)  # pyright: ignore
