"""Ours: one prepared `dnn.fused_gru`, or LAC whole, as a program."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import workload
from side import Prepared

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir import resources
from lastuse.frontends.text.mlir_parser import parse

TEXT = """
func.func @main(%x: tensor<?x{n}xf32> {{dnn.name = "x"}}, %o: tensor<?xi64> {{dnn.name = "o"}})
    -> (tensor<?x{c}xf32> {{dnn.name = "h"}}) {{
  %wx = "dnn.constant"() {{value = dense_resource<wx> : tensor<{n}x{t}xf32>}} : () -> tensor<{n}x{t}xf32>
  %wh = "dnn.constant"() {{value = dense_resource<wh> : tensor<{c}x3x{c}xf32>}} : () -> tensor<{c}x3x{c}xf32>
  %b = "dnn.constant"() {{value = dense_resource<b> : tensor<1x{t}xf32>}} : () -> tensor<1x{t}xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %o)
    {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true}}
    : (tensor<?x{n}xf32>, tensor<{n}x{t}xf32>, tensor<{c}x3x{c}xf32>, tensor<1x{t}xf32>, tensor<?xi64>)
    -> tensor<?x{c}xf32>
  func.return %h : tensor<?x{c}xf32>
}}
"""


def program(of: workload.Workload, threads: int, round_sizes: bool = False) -> lastuse.Program:
    """One layer over ragged rows."""
    inputs, channels = len(of.layer), len(of.iter)
    ctx = context()
    module = parse(ctx, TEXT.format(n=inputs, c=channels, t=3 * channels), "gru.mlir")
    resources.of(module).update(zip(("wx", "wh", "b"), of.negated(), strict=True))
    return lastuse.compile(module, threads=threads, round_sizes=round_sizes, ctx=ctx)


def prepare(of: workload.Workload, threads: int, variant: str) -> Prepared:
    compiled, given = program(of, threads), {"x": of.x, "o": of.offsets}
    out = {"h": np.empty((len(of.x), len(of.iter)), np.float32)}
    return Prepared(lambda: compiled.run(given, out), lambda: out["h"])


def prepare_lac(path: Path, threads: int, variant: str) -> Prepared:
    with np.load(path) as arrays:
        given = {"words": arrays["words"], "words.lod": arrays["offsets"]}
        want = arrays["tags"] if "tags" in arrays.files else None
    compiled = lastuse.compile(path.parent / "lac_model", threads=threads)
    (tags,) = compiled.run(given).values()
    if want is not None and not np.array_equal(tags, want):
        sys.exit("lastuse: other tags")
    return Prepared(lambda: compiled.run(given), lambda: tags)
