"""Programs whose lowered modules are changed: every kind of step, strides, scratch, GRUs, control flow and calls."""

from __future__ import annotations

from control_programs import CASES

from lastuse.compiler.driver import context
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.backward import BackwardPass

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


CONVOLUTIONS = """
func.func @main(%x: tensor<2x1x8x8xf32>, %y: tensor<2xi64>, %w1: tensor<3x1x3x3xf32> {dnn.trainable},
    %b1: tensor<3xf32> {dnn.trainable}, %s: tensor<3xf32> {dnn.trainable}, %t: tensor<3xf32> {dnn.trainable},
    %m: tensor<3xf32> {dnn.donated}, %v: tensor<3xf32> {dnn.donated}, %w2: tensor<48x4xf32> {dnn.trainable})
    -> (tensor<f32> {dnn.loss}, tensor<3xf32> {dnn.tied = 6 : i32}, tensor<3xf32> {dnn.tied = 7 : i32}) {
  %c = "dnn.conv"(%x, %w1, %b1) {pads = array<i64: 1, 1, 1, 1>}
    : (tensor<2x1x8x8xf32>, tensor<3x1x3x3xf32>, tensor<3xf32>) -> tensor<2x3x8x8xf32>
  %n, %rm, %rv = "dnn.batch_norm"(%c, %s, %t, %m, %v) {training_mode = true}
    : (tensor<2x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
    -> (tensor<2x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>)
  %r = "dnn.relu"(%n) : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %p = "dnn.max_pool"(%r) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
    : (tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32>
  %f = "dnn.flatten"(%p) {axis = 1 : i64} : (tensor<2x3x4x4xf32>) -> tensor<2x48xf32>
  %h = "dnn.matmul"(%f, %w2) : (tensor<2x48xf32>, tensor<48x4xf32>) -> tensor<2x4xf32>
  %loss = "dnn.softmax_cross_entropy"(%h, %y) : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<f32>
  func.return %loss, %rm, %rv : tensor<f32>, tensor<3xf32>, tensor<3xf32>
}
"""
POOLS = """
func.func @main(%x: tensor<1x2x7x9xf32>, %w: tensor<2x2x3x3xf32> {dnn.trainable},
    %u: tensor<2x2x3x3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x2x7x9xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x7x9xf32>
  %a = "dnn.max_pool"(%c) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x2x7x9xf32>) -> tensor<1x2x7x9xf32>
  %d = "dnn.conv"(%a, %u) {pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x2x7x9xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x7x9xf32>
  %e = "dnn.max_pool"(%d) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x2x7x9xf32>) -> tensor<1x2x7x9xf32>
  %g = "dnn.average_pool"(%e) {kernel_shape = array<i64: 2, 3>, strides = array<i64: 1, 2>}
    : (tensor<1x2x7x9xf32>) -> tensor<1x2x6x4xf32>
  %loss = "dnn.reduce_sum_square"(%g) : (tensor<1x2x6x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
"""
"""The indices of two pools have one shape, and the weights of two convolutions."""
LAYERS = """
func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>, %w1: tensor<4x4xf32> {dnn.trainable},
    %w2: tensor<4x4xf32> {dnn.trainable}, %s: tensor<4xf32> {dnn.trainable}, %t: tensor<4xf32> {dnn.trainable})
    -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.matmul"(%x, %w1) : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %b = "dnn.gelu"(%a) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %n = "dnn.layer_norm"(%b, %s, %t) {axis = -1 : i64}
    : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %c = "dnn.matmul"(%n, %w2) : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %d = "dnn.softmax"(%c) {axis = -1 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %e = "dnn.add"(%d, %b) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %f = "dnn.tanh"(%e) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %loss = "dnn.mse"(%f, %y) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
"""
HEADS = """
func.func @main(%q: tensor<2x3x2x4xf32>, %k: tensor<2x3x2x4xf32>, %v: tensor<2x3x2x4xf32>) -> tensor<2x3x8xf32> {
  %s = "dnn.matmul"(%q, %k) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>}
    : (tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>) -> tensor<2x2x3x3xf32>
  %p = "dnn.softmax"(%s) {axis = -1 : i64} : (tensor<2x2x3x3xf32>) -> tensor<2x2x3x3xf32>
  %o = "dnn.matmul"(%p, %v) {permB = array<i64: 0, 2, 1, 3>, perm = array<i64: 0, 2, 1, 3>}
    : (tensor<2x2x3x3xf32>, tensor<2x3x2x4xf32>) -> tensor<2x3x2x4xf32>
  %y = "dnn.reshape"(%o) {shape = array<i64: 2, 3, 8>} : (tensor<2x3x2x4xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}
"""
TAGGER = """
func.func @main(%ids: tensor<5xi64>, %tags: tensor<5xi64>, %lod: tensor<3xi64>, %emb: tensor<5x4xf32> {dnn.trainable},
    %wx: tensor<4x9xf32> {dnn.trainable}, %wh: tensor<3x9xf32> {dnn.trainable}, %b: tensor<1x9xf32> {dnn.trainable},
    %out: tensor<3x4xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %x = "dnn.gather"(%emb, %ids) {axis = 0 : i64} : (tensor<5x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %lod) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>}
    : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  %k = "dnn.fused_gru"(%x, %wx, %wh, %b, %lod) {origin_mode = true, is_reverse = true,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>}
    : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  %a = "dnn.add"(%h, %k) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %e = "dnn.matmul"(%a, %out) : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %loss = "dnn.softmax_cross_entropy"(%e, %tags) : (tensor<5x4xf32>, tensor<5xi64>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
"""


def _training(text: str, optimizer: str) -> str:
    """The step of a forward part."""
    module = parse(context(), text, "training.mlir")
    BackwardPass(optimizer).apply(context(), module)
    return str(module)


PROGRAMS = {
    "steps": STEPS,
    "moves": MOVES,
    "heads": HEADS,
    "scratch": SCRATCH,
    "permuted": PERMUTED,
    "permuted loop": PERMUTED_LOOP,
    "gru": _gru(),
    "convolutions trained": _training(CONVOLUTIONS, "momentum"),
    "pools trained": _training(POOLS, "sgd"),
    "layers trained": _training(LAYERS, "adam"),
    "tagger trained": _training(TAGGER, "sgd"),
    **{name: case.text for name, case in CASES.items()},
}
