"""The dnn dialect: operations on tensors as values. Each op's class says all about the op."""

from __future__ import annotations

from xdsl.ir import Dialect

from lastuse.dialect.dnn.base import DnnOp
from lastuse.dialect.ir.interfaces import operations_below
from lastuse.dialect.onednn.kernel_call import CALLEES

OPERATIONS: dict[str, type[DnnOp]] = {
    op.name: op for op in operations_below(__name__, __path__) if issubclass(op, DnnOp)
}
"""Op classes by their full name, `dnn.relu`."""
CALLEES.update(OPERATIONS)

Dnn = Dialect("dnn", list(OPERATIONS.values()), [])
