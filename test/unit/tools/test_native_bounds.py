"""No native kernel writes beside its results, whatever the op's attributes say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import pytest
from good_ops import lines
from native_kernels import native_kernel, scratch_of
from op_cases import build
from op_lines import RUNNABLE, runnable_operands
from test_wrong_types import wrong_attributes
from xdsl.utils.exceptions import VerifyException

from lastuse.compiler.driver import context
from lastuse.dialect.dnn.base import Array, DnnOp
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.tensor_types import numpy_dtype
from lastuse.frontends.text.mlir_parser import parse
from lastuse.runtime import _core

MARK, MARGIN = 0xA5, 4096
NATIVE = [cls for cls in RUNNABLE if cls.native_kernel is not DnnOp.native_kernel]
"""Classes whose ops name a kernel of the runtime, some of them not always."""


class Fenced:
    """A copy of an array between two margins of marked bytes."""

    def __init__(self, array: Array) -> None:
        self._bytes = np.full(array.nbytes + 2 * MARGIN, MARK, np.uint8)
        self.array = self._bytes[MARGIN : MARGIN + array.nbytes].view(array.dtype).reshape(array.shape)
        self.array[...] = array

    def is_whole(self) -> bool:
        return bool((self._bytes[:MARGIN] == MARK).all() and (self._bytes[MARGIN + self.array.nbytes :] == MARK).all())


def ops(cls: type[DnnOp]) -> Iterator[tuple[str, DnnOp]]:
    """Ops of the class that verify, of all its lines and with attributes that are wrong or large."""
    for line in lines(cls):
        yield line, build(line)
    for text in wrong_attributes(cls.name):
        try:
            module = parse(context(), text, "bounds.mlir")
            module.verify()
        except (LastuseError, VerifyException):
            continue
        yield from ((text, op) for op in module.walk() if isinstance(op, cls))


def writes_beside(op: DnnOp) -> bool:
    given = runnable_operands(op)
    if given is None:
        return False
    types = [op.result_type(k) for k in range(len(op.results))]
    results = [np.zeros([d for d in t.shape if isinstance(d, int)], numpy_dtype(t.dtype)) for t in types]
    fenced = [Fenced(np.asarray(array)) for array in (*given, *results, scratch_of(op, 1))]
    arrays, count = [each.array for each in fenced], len(given)
    with suppress(_core.Error, LastuseError):  # such as an index outside the array: what was written up to there counts
        native_kernel(op, 1)(arrays[:count], arrays[count:-1], arrays[-1])
    return not all(each.is_whole() for each in fenced)


@pytest.mark.parametrize("cls", NATIVE, ids=lambda cls: cls.name)
def test_kernels_write_their_results_alone(cls: type[DnnOp]) -> None:
    assert [text for text, op in ops(cls) if op.native_kernel() is not None and writes_beside(op)] == []
