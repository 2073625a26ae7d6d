"""A program with every op that xDSL has in the dialects whose contracts come with us, and of control flow."""

from __future__ import annotations

from xdsl.dialects import arith, cf, func, linalg, scf, tensor, tosa
from xdsl.ir import Operation

INTEGERS = "addi subi muli divui divsi floordivsi ceildivsi ceildivui remui remsi minsi maxsi minui maxui andi ori xori"
SHIFTS = "shli shrui shrsi"
FLOATS = "addf subf mulf divf minimumf minnumf maximumf maxnumf"
EXTENDED = [("addui_extended", "i1"), ("mului_extended", "i32"), ("mulsi_extended", "i32")]
CASTS = {
    "bitcast": "f32 i32",
    "index_cast": "i32 index",
    "fptosi": "f32 i32",
    "fptoui": "f32 i32",
    "sitofp": "i32 f32",
    "uitofp": "i32 f32",
    "extf": "f32 f64",
    "truncf": "f32 f16",
    "trunci": "i32 i16",
    "extsi": "i32 i64",
    "extui": "i32 i64",
}
STRUCTURED = "add sub mul max min"
UNARY = "exp log sqrt"
TOSA_BINARY = "add sub"
TOSA_UNARY = "sin cos reciprocal"
TOSA_REDUCE = "max min product sum"


def program() -> str:
    """Text of a module."""
    lines = [f"%i_{name} = arith.{name} %i, %i : tensor<4xi32>" for name in f"{INTEGERS} {SHIFTS}".split()]
    lines += [f"%f_{name} = arith.{name} %x, %x : tensor<4xf32>" for name in FLOATS.split()]
    lines += [
        f'%l_{name}, %h_{name} = "arith.{name}"(%n, %n) : (i32, i32) -> (i32, {second})' for name, second in EXTENDED
    ]
    for name, types in CASTS.items():
        have, want = types.split()
        lines.append(f'%c_{name}_in = "test.value"() : () -> {have}')
        lines.append(f"%c_{name} = arith.{name} %c_{name}_in : {have} to {want}")
    for name in STRUCTURED.split():
        lines.append(
            f"%s_{name} = linalg.{name} ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) "
            "-> tensor<4xf32>"
        )
    for name in UNARY.split():
        lines.append(f"%u_{name} = linalg.{name} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>")
    t = "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"
    lines += [f"%t_{name} = tosa.{name} %x, %x : {t}" for name in TOSA_BINARY.split()]
    lines += [f"%t_{name} = tosa.{name} %x : (tensor<4xf32>) -> tensor<4xf32>" for name in TOSA_UNARY.split()]
    for name in TOSA_REDUCE.split():
        lines.append(
            f'%r_{name} = "tosa.reduce_{name}"(%m) <{{axis = 0 : i32}}> : (tensor<4x8xf32>) -> tensor<1x8xf32>'
        )
    return HEAD + "\n".join(f"  {line}" for line in lines) + BODY


HEAD = """
func.func private @outside(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>, %m: tensor<4x8xf32>, %i: tensor<4xi32>, %n: i32, %c: i1, %k: index,
    %u: tensor<?xf32>, %shape: tensor<2xindex>, %b: tensor<4xi1>) -> tensor<4xf32> {
"""
BODY = """
  %a0 = arith.constant dense<1.0> : tensor<4xf32>
  %a1 = arith.constant 1.0 : f32
  %a2 = arith.negf %x : tensor<4xf32>
  %a3 = arith.cmpi eq, %i, %i : tensor<4xi32>
  %a4 = arith.cmpf oeq, %x, %x : tensor<4xf32>
  %a5 = arith.select %c, %x, %x : tensor<4xf32>
  %l0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = linalg.index 0 : index
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %l1 = "linalg.select"(%b, %x, %x, %x) <{operandSegmentSizes = array<i32: 3, 1>}> ({
  ^bb0(%p: i1, %q: f32, %r: f32, %o: f32):
    %s = arith.select %p, %q, %r : f32
    linalg.yield %s : f32
  }) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %l2 = linalg.fill ins(%a1 : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %l3 = linalg.copy ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<8x4xf32>
  %e1 = tensor.empty(%k) : tensor<?xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %l4 = linalg.transpose ins(%m : tensor<4x8xf32>) outs(%e0 : tensor<8x4xf32>) permutation = [1, 0]
  %l5 = linalg.matmul ins(%m, %e0 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q0 = "test.value"() : () -> tensor<4x8xi8>
  %q1 = "test.value"() : () -> tensor<8x4xi8>
  %q2 = "test.value"() : () -> tensor<4x4xi32>
  %l6 = linalg.quantized_matmul ins(%q0, %q1, %n, %n : tensor<4x8xi8>, tensor<8x4xi8>, i32, i32)
      outs(%q2 : tensor<4x4xi32>) -> tensor<4x4xi32>
  %v0 = "test.value"() : () -> tensor<1x1x4x4xf32>
  %v1 = "test.value"() : () -> tensor<3x3xf32>
  %v2 = "test.value"() : () -> tensor<1x1x2x2xf32>
  %v3 = "test.value"() : () -> tensor<1x1x3x3xf32>
  %l7 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%v0, %v1 : tensor<1x1x4x4xf32>, tensor<3x3xf32>) outs(%v2 : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %l8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%v0, %v3 : tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) outs(%v2 : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %w0 = "test.value"() : () -> tensor<1x4x4x1xf32>
  %w1 = "test.value"() : () -> tensor<3x3x1x1xf32>
  %w2 = "test.value"() : () -> tensor<1x2x2x1xf32>
  %w3 = "test.value"() : () -> tensor<1x3x3x1xf32>
  %l9 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%w0, %w1 : tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) outs(%w2 : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %l10 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%w0, %w3 : tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>) outs(%w2 : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %g0 = "test.value"() : () -> tensor<1x4x4x1x1xf32>
  %g1 = "test.value"() : () -> tensor<1x1x3x3x1xf32>
  %g2 = "test.value"() : () -> tensor<1x2x2x1x1xf32>
  %l11 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%g0, %g1 : tensor<1x4x4x1x1xf32>, tensor<1x1x3x3x1xf32>) outs(%g2 : tensor<1x2x2x1x1xf32>)
      -> tensor<1x2x2x1x1xf32>
  %g3 = "test.value"() : () -> tensor<1x1x1x4x4xf32>
  %g4 = "test.value"() : () -> tensor<1x1x1x3x3xf32>
  %g5 = "test.value"() : () -> tensor<1x1x1x2x2xf32>
  %l12 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%g3, %g4 : tensor<1x1x1x4x4xf32>, tensor<1x1x1x3x3xf32>) outs(%g5 : tensor<1x1x1x2x2xf32>)
      -> tensor<1x1x1x2x2xf32>
  %l13 = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%g3, %g4 : tensor<1x1x1x4x4xf32>, tensor<1x1x1x3x3xf32>) outs(%g5 : tensor<1x1x1x2x2xf32>)
      -> tensor<1x1x1x2x2xf32>
  %l14 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e0 : tensor<8x4xf32>) dimensions = [0]
  %l15 = linalg.reduce ins(%e0 : tensor<8x4xf32>) outs(%x : tensor<4xf32>) dimensions = [0]
    (%p: f32, %o: f32) {
      %q = arith.addf %p, %o : f32
      linalg.yield %q : f32
    }
  %t0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %t1 = tensor.collapse_shape %m [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %t2 = "tensor.concat"(%x, %x) <{dim = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %t3 = tensor.dim %u, %k : tensor<?xf32>
  %t4 = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %t5 = tensor.extract %x[%k] : tensor<4xf32>
  %t6 = tensor.extract_slice %x[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %t7 = tensor.from_elements %a1, %a1 : tensor<2xf32>
  %t8 = tensor.insert %a1 into %x[%k] : tensor<4xf32>
  %t9 = tensor.insert_slice %t7 into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %t10 = tensor.reshape %x(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %t11 = "tensor.splat"(%a1) : (f32) -> tensor<4xf32>
  %t12 = "tensor.pad"(%x) <{static_low = array<i64: 1>, static_high = array<i64: 1>,
      operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%p: index):
    tensor.yield %a1 : f32
  }) : (tensor<4xf32>) -> tensor<6xf32>
  %o0 = "tosa.clamp"(%x) <{min_val = 0.0 : f32, max_val = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  %o1 = "tosa.const"() <{values = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %o2 = "tosa.rescale"(%i) <{input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32: 1>,
      shift = array<i8: 1>, scale32 = true, double_round = false, per_channel = false}>
      : (tensor<4xi32>) -> tensor<4xi32>
  %o3 = "tosa.mul"(%x, %x, %o12) : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
  %o4 = "tosa.reduce_all"(%b) <{axis = 0 : i32}> : (tensor<4xi1>) -> tensor<1xi1>
  %o5 = "tosa.reduce_any"(%b) <{axis = 0 : i32}> : (tensor<4xi1>) -> tensor<1xi1>
  %o6 = "test.value"() : () -> tensor<1x4x4xf32>
  %o7 = "tosa.matmul"(%o6, %o6) : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %o8 = "tosa.max_pool2d"(%w0) <{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>,
      pad = array<i64: 0, 0, 0, 0>, nan_mode = "PROPAGATE"}> : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %o9 = "test.value"() : () -> tensor<1xf32>
  %o10 = "tosa.avg_pool2d"(%w0, %o9, %o9) <{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>,
      pad = array<i64: 0, 0, 0, 0>, acc_type = f32}>
      : (tensor<1x4x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x1xf32>
  %o11 = "tosa.concat"(%x, %x) <{axis = 0 : i32}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %o12 = "test.value"() : () -> tensor<1xi8>
  %o13 = "test.value"() : () -> tensor<i1>
  %o14 = "tosa.cond_if"(%o13) ({
    "tosa.yield"(%x) : (tensor<4xf32>) -> ()
  }, {
    "tosa.yield"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  %s0 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %s1 = scf.for %j = %k to %k step %k iter_args(%z = %x) -> (tensor<4xf32>) {
    %d = arith.negf %z : tensor<4xf32>
    scf.for %jj = %k to %k step %k {
      %dd = arith.negf %d : tensor<4xf32>
    }
    scf.yield %d : tensor<4xf32>
  }
  scf.if %c {
    %d = arith.negf %x : tensor<4xf32>
  }
  %s2 = "scf.execute_region"() ({
    scf.yield %x : tensor<4xf32>
  }) : () -> tensor<4xf32>
  %s3 = scf.while (%z = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %z : tensor<4xf32>
  } do {
  ^bb0(%z: tensor<4xf32>):
    scf.yield %z : tensor<4xf32>
  }
  %s4 = "scf.parallel"(%k, %k, %k, %a1) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%j: index):
    "scf.reduce"(%a1) ({
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      "scf.reduce.return"(%r) : (f32) -> ()
    }) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  %s5 = "scf.index_switch"(%k) <{cases = array<i64: 2>}> ({
    scf.yield %x : tensor<4xf32>
  }, {
    scf.yield %x : tensor<4xf32>
  }) : (index) -> tensor<4xf32>
  cf.assert %c, "true"
  %f0 = func.call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^bb1(%x : tensor<4xf32>), ^bb2(%x, %x : tensor<4xf32>, tensor<4xf32>)
^bb1(%p1: tensor<4xf32>):
  cf.br ^bb3(%p1 : tensor<4xf32>)
^bb2(%p2: tensor<4xf32>, %p3: tensor<4xf32>):
  cf.switch %n : i32, [
    default: ^bb3(%p2 : tensor<4xf32>),
    42: ^bb3(%p3 : tensor<4xf32>)
  ]
^bb3(%p4: tensor<4xf32>):
  func.return %p4 : tensor<4xf32>
}
"""

CLASSES: list[type[Operation]] = [
    op_class
    for dialect in (arith.Arith, cf.Cf, func.Func, linalg.Linalg, scf.Scf, tensor.Tensor, tosa.TOSA)
    for op_class in dialect.operations
]
