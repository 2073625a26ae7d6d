"""A program of a user: pyright knows its types in strict mode from the installed package (`.ci/run`)."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def

import lastuse
from lastuse.analysis import aliases, live_before, may_write_over, place_of
from lastuse.testing import check_contract


@irdl_op_definition
class ScaleOp(IRDLOperation):
    name = "toy.scale"
    x = operand_def(TensorType)
    y = result_def(TensorType)


def contract(op: Operation) -> lastuse.Contract:
    return lastuse.Contract(over=(lastuse.InPlace(0, 0),), strided=len(op.operands) == 1)


lastuse.register_contract(ScaleOp, contract)


def double(operands: list[np.ndarray], results: list[np.ndarray]) -> None:
    np.multiply(operands[0], 2, out=results[0])


def ask(op: ScaleOp) -> None:
    check_contract(op, double)
    reason = may_write_over(op, 0)
    print(reason.value if reason is not None else "yes", len(aliases(op.y)), len(live_before(op)), place_of(op.y))


def main() -> int:
    program = lastuse.compile("model.mlir", threads=1)
    try:
        results = program.run({"x": np.zeros((2, 4), np.float32)})
    except lastuse.LastuseError as error:
        print(error.message, error.location)
        return 1
    for name, array in results.items():
        print(name, array.shape, array.dtype)
    compiled = program.specialized({"rows": 8})
    print(compiled.memory.arena_bytes, program.memory.naive_bytes, lastuse.__version__)
    print(program.memory_for(rows=8).total_bytes, program.largest("rows", limit="1MiB"))
    for remark in program.remarks:
        print(remark.kind, remark.reason, remark.location)
    print(compiled.runner.memory.arena, dict(compiled.engines), list(program.inputs))
    return 0
