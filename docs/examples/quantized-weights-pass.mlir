// opt-tool --quantized-weights-pass
// The weights stay integers: a quarter of the bytes is read in each run.
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<[[0.5, 0.25, 2.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}
