"""`--fetch`: values that become results if they are available at every return."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastuse.compiler.driver import compile, context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.frontends.text.mlir_parser import parse
from support import call

T = "tensor<4xf32>"
BLOCKS = f"""func.func @main(%x: {T}, %c: i1) -> ({T} {{dnn.name = "y"}}) {{
  %e = "dnn.exp"(%x) : ({T}) -> {T}
  cf.cond_br %c, ^one(%e : {T}), ^two
^one(%p: {T}):
  %m = "dnn.abs"(%p) : ({T}) -> {T}
  func.return %m : {T}
^two:
  %s = "dnn.neg"(%e) : ({T}) -> {T}
  func.return %s : {T}
}}
"""
JOINED = f"""func.func @main(%x: {T}, %c: i1) -> ({T} {{dnn.name = "y"}}) {{
  cf.cond_br %c, ^one, ^join(%x : {T})
^one:
  %m = "dnn.abs"(%x) : ({T}) -> {T}
  cf.br ^join(%m : {T})
^join(%p: {T}):
  %s = "dnn.exp"(%p) : ({T}) -> {T}
  %y = scf.if %c -> ({T}) {{
    %t = "dnn.neg"(%s) : ({T}) -> {T}
    scf.yield %t : {T}
  }} else {{
    scf.yield %s : {T}
  }}
  func.return %y : {T}
}}
"""


def run(text: str, name: str, c: bool) -> dict[str, np.ndarray]:
    program = compile(parse(context(), text, "fetch.mlir"), fetch_names=[name], threads=1, poison=True)
    return program.run({"x": np.array([-1, 0, 1, 2], np.float32), "c": np.bool_(c)})


@pytest.mark.parametrize("c", [True, False])
def test_value_that_dominates_every_return_is_fetched(c: bool) -> None:
    x = np.array([-1, 0, 1, 2], np.float32)
    found = run(BLOCKS, "e", c)
    assert list(found) == ["y", "e"]
    np.testing.assert_allclose(found["e"], np.exp(x), rtol=1e-6)
    np.testing.assert_allclose(found["y"], np.exp(x) * (1 if c else -1), rtol=1e-6)
    found = run(JOINED, "s", c)
    np.testing.assert_allclose(found["s"], np.exp(np.abs(x) if c else x), rtol=1e-6)
    np.testing.assert_allclose(found["y"], found["s"] * (-1 if c else 1), rtol=1e-6)
    np.testing.assert_allclose(run(JOINED, "p", c)["p"], np.abs(x) if c else x)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (BLOCKS, "m", r"fetch.mlir:5:8: error: 'm' is not computed on every path to a return"),
        (BLOCKS, "p", r"fetch.mlir:1:1: error: 'p' is not computed on every path to a return"),
        (JOINED, "m", r"fetch.mlir:4:8: error: 'm' is not computed on every path to a return"),
        (JOINED, "t", r"fetch.mlir:9:10: error: 't' is computed inside 'scf.if' and gone behind it"),
        (JOINED, "z", r"fetch.mlir:1:1: error: no value is called 'z'; there are x, c, m, p, s, t, y"),
    ],
)
def test_value_that_cannot_be_fetched_is_an_error_with_location(
    text: str, name: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "fetch.mlir").write_text(text)
    done = call(["run-tool", str(tmp_path / "fetch.mlir"), "--fetch", name])
    assert done.status == 1 and "Traceback" not in done.err
    assert message in done.err.splitlines()[0]
    with pytest.raises(LastuseError):
        run(text, name, True)
