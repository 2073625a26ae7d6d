// opt-tool --quantized-ops-pass
// The product of dequantised values is quantised: its sums are made of the integers themselves, and the bound is the zero point.
func.func @main(%x: tensor<4x2xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %t = "dnn.constant"() {value = dense<[0.5, 0.25, 2.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %n = "dnn.constant"() {value = dense<0> : tensor<3xi8>} : () -> tensor<3xi8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %w = "dnn.dequantize_linear"(%q, %t, %n) {axis = 1 : i64} : (tensor<2x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xf32>
  %p = "dnn.matmul"(%a, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %r = "dnn.relu"(%p) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%r, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}
