"""Loops that move what they carry along: cutting memory off element by element, the checker would hardly end."""

from __future__ import annotations

import numpy as np
import pytest

import lastuse
from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse

COUNT = 100_000
LOOP = """
func.func @main(%t: TYPE, %n: index, %v: PART) -> TYPE {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (TYPE) {
    %a = "dnn.slice"(%s) {dim = 0 : i64, start = START : i64, end = END : i64} : (TYPE) -> REST
    %b = "dnn.concat"(ORDER) {axis = 0 : i64} : (TYPES) -> TYPE
    scf.yield %b : TYPE
  }
  func.return %r : TYPE
}
"""


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("by", [1, 7])
@pytest.mark.parametrize("forward", [True, False], ids=["to the front", "to the back"])
def test_a_shift_register_is_proved(forward: bool, by: int, width: int) -> None:
    whole, part, rest = (f"tensor<{size}x{width}xf32>" for size in (COUNT, by, COUNT - by))
    start, order, types = (by, "%a, %v", f"{rest}, {part}") if forward else (0, "%v, %a", f"{part}, {rest}")
    text = LOOP.replace("TYPES", types).replace("TYPE", whole).replace("PART", part).replace("REST", rest)
    text = text.replace("START", str(start)).replace("END", str(start + COUNT - by)).replace("ORDER", order)
    program = lastuse.compile(parse(context(), text, "shift.mlir"))
    t = np.arange(COUNT * width, dtype=np.float32).reshape(COUNT, width)
    v = np.full((by, width), -1, np.float32)
    found = program.run({"t": t, "n": np.array(3), "v": v})["out0"]
    added = np.repeat(v, 3, axis=0)
    want = np.concatenate([t[3 * by :], added] if forward else [added, t[: -3 * by]])
    np.testing.assert_array_equal(found, want)
