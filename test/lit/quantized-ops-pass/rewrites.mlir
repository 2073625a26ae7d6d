// Products, convolutions, pools and moves between dequantize_linear and quantize_linear.

// RUN: opt-tool --quantized-ops-pass %s | filecheck %s
// RUN: opt-tool --quantized-ops-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 19]]:8: remark: dnn.conv (c): computed in integers, up to dnn.quantize_linear

// The bias is in steps of the sums, 0.5 * 0.5 and 0.5 * 0.25; the bound of relu is the zero point.

// CHECK-LABEL: @convolution
// CHECK-NOT: dequantize_linear
// CHECK: %[[B:.*]] = "dnn.constant"() {value = dense<[40, -16]> : tensor<2xi32>}
// CHECK: %[[C:.*]] = "dnn.qlinear_conv"(%x, %s, %z, %q, %t, %n, %s, %z, %[[B]]) {pads = array<i64: 1, 1>}
// CHECK: "dnn.clip"(%[[C]]) {max = 255 : i64, min = 3 : i64}
// CHECK-NOT: dnn.quantize_linear
func.func @convolution(%x: tensor<1x1x5xui8>) -> tensor<1x2x5xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi8>} : () -> tensor<2x1x3xi8>
  %t = "dnn.constant"() {value = dense<[0.5, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %n = "dnn.constant"() {value = dense<0> : tensor<2xi8>} : () -> tensor<2xi8>
  %b = "dnn.constant"() {value = dense<[10.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<1x1x5xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x5xf32>
  %w = "dnn.dequantize_linear"(%q, %t, %n) {axis = 0 : i64} : (tensor<2x1x3xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x1x3xf32>
  %c = "dnn.conv"(%a, %w, %b) {pads = array<i64: 1, 1>} : (tensor<1x1x5xf32>, tensor<2x1x3xf32>, tensor<2xf32>) -> tensor<1x2x5xf32>
  %r = "dnn.relu"(%c) : (tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  %y = "dnn.quantize_linear"(%r, %s, %z) : (tensor<1x2x5xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x5xui8>
  func.return %y : tensor<1x2x5xui8>
}

// Weights that are turned are a constant; without a zero point it is 0.

// CHECK-LABEL: @turned
// CHECK-DAG: %[[Q:.*]] = "dnn.constant"() {value = dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
// CHECK-DAG: %[[N:.*]] = "dnn.constant"() {value = dense<0> : tensor<1xi8>}
// CHECK: "dnn.qlinear_matmul"(%x, %s, %z, %[[Q]], %s, %[[N]], %s, %z)
func.func @turned(%x: tensor<4x3xui8>) -> tensor<4x2xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %p = "dnn.gemm"(%a, %w) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
  func.return %y : tensor<4x2xui8>
}

// Between equal scales and zero points the largest byte is the largest number, and a transpose is one of bytes.

// CHECK-LABEL: @moves
// CHECK: %[[M:.*]] = "dnn.max_pool"(%x) {{.*}} -> tensor<1x2x2xui8>
// CHECK: %[[T:.*]] = "dnn.transpose"(%[[M]])
// CHECK: func.return %[[T]]
func.func @moves(%x: tensor<1x2x4xui8>) -> tensor<1x2x2xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %e = "dnn.constant"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<1x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xf32>
  %m = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x2xf32>
  %u = "dnn.quantize_linear"(%m, %e, %z) : (tensor<1x2x2xf32>, tensor<1xf32>, tensor<ui8>) -> tensor<1x2x2xui8>
  %v = "dnn.dequantize_linear"(%u, %s, %z) : (tensor<1x2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2xf32>
  %t = "dnn.transpose"(%v) {perm = array<i64: 0, 2, 1>} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %y = "dnn.quantize_linear"(%t, %s, %z) : (tensor<1x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2xui8>
  func.return %y : tensor<1x2x2xui8>
}

// A sum of two values, each of its own scale, and the bound between it and the result.

// CHECK-LABEL: @sum
// CHECK: %[[Y:.*]] = "dnn.qlinear_add"(%a, %s, %z, %b, %t, %o, %t, %z)
// CHECK-NEXT: %y = "dnn.clip"(%[[Y]]) {max = 255 : i64, min = 3 : i64}
// CHECK-NEXT: func.return %y
func.func @sum(%a: tensor<4x3xui8>, %b: tensor<4x3xi8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %t = "dnn.constant"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %o = "dnn.constant"() {value = dense<-2> : tensor<i8>} : () -> tensor<i8>
  %c = "dnn.dequantize_linear"(%a, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %d = "dnn.dequantize_linear"(%b, %t, %o) : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> tensor<4x3xf32>
  %p = "dnn.add"(%c, %d) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = "dnn.relu"(%p) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%r, %t, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}
