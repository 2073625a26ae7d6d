"""Programs whose lowered modules are changed: every kind of step, strides, scratch, GRUs, control flow and calls."""

from __future__ import annotations

from control_programs import CASES

STEPS = """
func.func @main(%x: tensor<4x6xf32>, %u: tensor<4x6xf32>, %w: tensor<6x6xf32>, %v: tensor<6xf32>, %p: tensor<6xf32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<8x6xf32>, tensor<4x1xf32>) {
  %k = "dnn.constant"() {value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %l = "dnn.constant"() {value = dense<[6.0, 2.0, 4.0, 4.0, 5.0, 1.0]> : tensor<6xf32>} : () -> tensor<6xf32>
  %e = "dnn.exp"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %d = "dnn.sub"(%e, %u) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %n, %mean, %dev = "dnn.layer_norm"(%d, %v, %k) {axis = -1 : i64}
    : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  %b = "dnn.batch_norm"(%n, %v, %p, %k, %l) : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>,
    tensor<6xf32>) -> tensor<4x6xf32>
  %s = "dnn.softmax"(%b) {axis = 0 : i64, dnn.scratch_bytes = 96 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = "dnn.matmul"(%s, %w) : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %g = "dnn.gemm"(%m, %w, %n) {transB = 1 : i64, alpha = 0.5 : f32, beta = 2.0 : f32}
    : (tensor<4x6xf32>, tensor<6x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %i = "dnn.gemm"(%m, %w, %k) : (tensor<4x6xf32>, tensor<6x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %t = "dnn.sum"(%g, %i, %m) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %a = "dnn.add"(%p, %t) : (tensor<6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %q = "dnn.mul"(%a, %a) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = "dnn.concat"(%a, %e) {axis = 0 : i64} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  func.return %q, %b, %c, %dev : tensor<4x6xf32>, tensor<4x6xf32>, tensor<8x6xf32>, tensor<4x1xf32>
}
"""
MOVES = """
func.func @main(%x: tensor<4x4xf32>, %u: tensor<4x4xf32>, %i: tensor<3xi64>) -> (tensor<4x8xf32>, tensor<4x4xf32>,
    tensor<3x4xf32>, tensor<6x4xf32>) {
  %a = "dnn.relu"(%x) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = "dnn.exp"(%t) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %j = "dnn.concat"(%e, %a) {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %c = "dnn.slice"(%u) {dim = 1 : i64, start = 1 : i64, end = 3 : i64} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %n = "dnn.neg"(%c) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = "dnn.slice_scatter"(%a, %n) {dim = 1 : i64, start = 0 : i64, end = 2 : i64}
    : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %g = "dnn.gather"(%s, %i) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %p = "dnn.pad"(%e) {pads = array<i64: 1, 0, 1, 0>, value = 1.5 : f32} : (tensor<4x4xf32>) -> tensor<6x4xf32>
  func.return %j, %s, %g, %p : tensor<4x8xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<6x4xf32>
}
"""

SCRATCH = """
func.func @main(%x: tensor<2x40x4xf32>, %u: tensor<2x40x4xf32>) -> tensor<2x40x4xf32> {
  %a = "dnn.exp"(%x) : (tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  %b = "dnn.tanh"(%a) : (tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  %c = "dnn.mul"(%a, %u) : (tensor<2x40x4xf32>, tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  %s = "dnn.softmax"(%b) {axis = 1 : i64, dnn.scratch_bytes = 1024 : i64} : (tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  %d = "dnn.sub"(%s, %c) : (tensor<2x40x4xf32>, tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  %y = "dnn.mul"(%d, %a) : (tensor<2x40x4xf32>, tensor<2x40x4xf32>) -> tensor<2x40x4xf32>
  func.return %y : tensor<2x40x4xf32>
}
"""


PERMUTED = """
func.func @main(%x: tensor<3x3x3xf32>, %u: tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x9xf32>, tensor<3x3x5xf32>,
    tensor<3x2x3xf32>, tensor<6x3x3xf32>) {
  %a = "dnn.tanh"(%x) : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 2, 0>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %b = "dnn.softmax"(%t) {axis = 2 : i64} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %v = "dnn.transpose"(%b) {perm = array<i64: 0, 2, 1>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %w = "dnn.transpose"(%v) {perm = array<i64: 1, 0, 2>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %c = "dnn.softmax"(%w) {axis = 1 : i64} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %r = "dnn.reshape"(%v) {shape = array<i64: 3, 9>} : (tensor<3x3x3xf32>) -> tensor<3x9xf32>
  %d = "dnn.mul"(%r, %r) : (tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32>
  %p = "dnn.pad"(%w) {pads = array<i64: 0, 0, 1, 0, 0, 1>, value = 1.5 : f32} : (tensor<3x3x3xf32>) -> tensor<3x3x5xf32>
  %s = "dnn.slice"(%t) {dim = 1 : i64, start = 1 : i64, end = 3 : i64} : (tensor<3x3x3xf32>) -> tensor<3x2x3xf32>
  %e = "dnn.exp"(%s) : (tensor<3x2x3xf32>) -> tensor<3x2x3xf32>
  %j = "dnn.concat"(%v, %u) {axis = 0 : i64} : (tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<6x3x3xf32>
  func.return %c, %d, %p, %e, %j : tensor<3x3x3xf32>, tensor<3x9xf32>, tensor<3x3x5xf32>, tensor<3x2x3xf32>,
    tensor<6x3x3xf32>
}
"""
"""Equal sizes of all axes: any order of them fits."""

PERMUTED_LOOP = """
func.func @main(%x: tensor<3x3x3xf32>, %n: index) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>) {
    %t = "dnn.transpose"(%a) {perm = array<i64: 1, 2, 0>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    %s = "dnn.softmax"(%t) {axis = 2 : i64} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    %u = "dnn.transpose"(%b) {perm = array<i64: 2, 0, 1>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    %v = "dnn.transpose"(%s) {perm = array<i64: 0, 2, 1>} : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    %w = "dnn.add"(%u, %v) : (tensor<3x3x3xf32>, tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    scf.yield %u, %w : tensor<3x3x3xf32>, tensor<3x3x3xf32>
  }
  func.return %r, %q : tensor<3x3x3xf32>, tensor<3x3x3xf32>
}
"""


def _constant(name: str, shape: str, start: float, count: int) -> str:
    numbers = [((k * 7 + start * 10) % 11 - 5) / 8 for k in range(count)]
    sizes = [int(size) for size in shape.split("x")]
    text = _nested(numbers, sizes)
    type_ = f"tensor<{shape}xf32>"
    return f'  %{name} = "dnn.constant"() {{value = dense<{text}> : {type_}}} : () -> {type_}\n'


def _nested(numbers: list[float], sizes: list[int]) -> str:
    if not sizes:
        return repr(numbers[0])
    each = len(numbers) // sizes[0]
    return f"[{', '.join(_nested(numbers[k * each : (k + 1) * each], sizes[1:]) for k in range(sizes[0]))}]"


def _gru() -> str:
    """Two layers of both directions, between a gather and a product, as in LAC."""
    text, weights, types = "", list[str](), list[str]()
    for layer, inputs in enumerate((4, 6)):
        for direction in range(2):
            for what, shape, count in (
                ("x", f"{inputs}x9", inputs * 9),
                ("h", "3x3x3", 27),
                ("b", "1x9", 9),
            ):
                name = f"w{what}{layer}{direction}"
                text += _constant(name, shape, 1 + layer * 2 + direction, count)
                weights.append(f"%{name}")
                types.append(f"tensor<{shape}xf32>")
    text += _constant("emb", "5x4", 0.3, 20) + _constant("out", "6x2", 0.7, 12)
    return f"""
func.func @main(%ids: tensor<5xi64>, %lod: tensor<3xi64>) -> tensor<5x2xf32> {{
{text}  %x = "dnn.gather"(%emb, %ids) {{axis = 0 : i64}} : (tensor<5x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %h = "dnn.multi_gru"(%x, {", ".join(weights)}, %lod) {{mode = "concat", layers = 2 : i64, origin_mode = true}}
    : (tensor<5x4xf32>, {", ".join(types)}, tensor<3xi64>) -> tensor<5x6xf32>
  %y = "dnn.matmul"(%h, %out) : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
  %s = "dnn.softmax"(%y) {{axis = -1 : i64}} : (tensor<5x2xf32>) -> tensor<5x2xf32>
  func.return %s : tensor<5x2xf32>
}}
"""


PROGRAMS = {
    "steps": STEPS,
    "moves": MOVES,
    "scratch": SCRATCH,
    "permuted": PERMUTED,
    "permuted loop": PERMUTED_LOOP,
    "gru": _gru(),
    **{name: case.text for name, case in CASES.items()},
}
