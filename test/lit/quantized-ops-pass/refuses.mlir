// What stays in f32, and why.

// RUN: opt-tool --quantized-ops-pass --remarks %s 2>&1 | filecheck %s
// CHECK: remark: dnn.matmul (p): computed in f32: its result is not quantised, by one scale, for all readers
// CHECK: remark: dnn.matmul (p): computed in f32: its result is not quantised, by one scale, for all readers
// CHECK: remark: dnn.matmul (p): computed in f32: %w is not dequantised from ui8 or i8 by scales along one axis
// CHECK: remark: dnn.matmul (p): computed in f32: scales are not those of columns
// CHECK: remark: dnn.gemm (p): computed in f32: there is no op on integers of its form
// CHECK: remark: dnn.gemm (p): computed in f32: its bias or a scale is no constant
// CHECK: remark: dnn.matmul (p): computed in f32: %a has more than one scale

// The product has another reader.

// CHECK-LABEL: @another_reader
// CHECK: "dnn.matmul"
func.func @another_reader(%x: tensor<4x2xui8>) -> (tensor<4x3xui8>, tensor<4x3xf32>) {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y, %p : tensor<4x3xui8>, tensor<4x3xf32>
}

// Results with a scale for each column are no result of one op.

// CHECK-LABEL: @scales_of_the_result
// CHECK: "dnn.matmul"
func.func @scales_of_the_result(%x: tensor<4x2xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %e = "dnn.constant"() {value = dense<0.5> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "dnn.quantize_linear"(%p, %e) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// The weights are f32.

// CHECK-LABEL: @wide_weights
// CHECK: "dnn.matmul"
func.func @wide_weights(%x: tensor<4x2xui8>, %w: tensor<2x3xf32>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// A scale for each summed row.

// CHECK-LABEL: @summed_scales
// CHECK: "dnn.matmul"
func.func @summed_scales(%x: tensor<4x2xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %t = "dnn.constant"() {value = dense<[0.5, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %w = "dnn.dequantize_linear"(%q, %t) {axis = 0 : i64} : (tensor<2x3xi8>, tensor<2xf32>) -> tensor<2x3xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// CHECK-LABEL: @alpha
// CHECK: "dnn.gemm"
func.func @alpha(%x: tensor<4x2xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %p = "dnn.gemm"(%a, %w) {alpha = 2.0 : f32} : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// CHECK-LABEL: @bias_of_a_run
// CHECK: "dnn.gemm"
func.func @bias_of_a_run(%x: tensor<4x2xui8>, %b: tensor<3xf32>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %p = "dnn.gemm"(%a, %w, %b) : (tensor<4x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// CHECK-LABEL: @scales_of_x
// CHECK: "dnn.matmul"
func.func @scales_of_x(%x: tensor<4x2xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<1> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %t = "dnn.constant"() {value = dense<0.5> : tensor<4xf32>} : () -> tensor<4xf32>
  %a = "dnn.dequantize_linear"(%x, %t) {axis = 0 : i64} : (tensor<4x2xui8>, tensor<4xf32>) -> tensor<4x2xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// A pool between two scales, and a move of a value that is no dequantised one.

// CHECK-LABEL: @other_scale
// CHECK: "dnn.max_pool"{{.*}} -> tensor<1x2x2xf32>
// CHECK: "dnn.transpose"{{.*}} -> tensor<1x2x2xf32>
func.func @other_scale(%x: tensor<1x2x4xui8>, %f: tensor<1x2x2xf32>) -> (tensor<1x2x2xui8>, tensor<1x2x2xui8>) {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %e = "dnn.constant"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<1x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4xf32>
  %m = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x2xf32>
  %u = "dnn.quantize_linear"(%m, %e, %z) : (tensor<1x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2xui8>
  %t = "dnn.transpose"(%f) {perm = array<i64: 0, 2, 1>} : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %y = "dnn.quantize_linear"(%t, %s, %z) : (tensor<1x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2xui8>
  func.return %u, %y : tensor<1x2x2xui8>, tensor<1x2x2xui8>
}
