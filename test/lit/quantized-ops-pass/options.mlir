// How quantised values are computed.

// RUN: opt-tool --quantized-ops-pass=quantized=integers %s | filecheck %s --check-prefix=INTEGERS
// RUN: opt-tool --quantized-ops-pass=quantized=model %s | filecheck %s --check-prefix=MODEL

// INTEGERS-LABEL: @turned
// INTEGERS: "dnn.qlinear_matmul"
// MODEL-LABEL: @turned
// MODEL-NOT: dnn.qlinear
// MODEL: "dnn.gemm"
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
