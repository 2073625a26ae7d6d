// opt-tool --bubble-up-pass
// Relu is computed for a quarter of the elements, and its gradient keeps no more than those.
func.func @main(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %a = "dnn.relu"(%x) : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}
