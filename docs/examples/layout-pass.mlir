// opt-tool --layout-pass
// The convolutions and what is between them have their channels last; arguments and results are as they were.
func.func @main(%x: tensor<2x8x9x9xf32>, %w: tensor<16x8x3x3xf32>, %u: tensor<16x16x3x3xf32>) -> tensor<2x16x5x5xf32> {
  %c = "dnn.conv"(%x, %w) : (tensor<2x8x9x9xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x7x7xf32>
  %r = "dnn.relu"(%c) : (tensor<2x16x7x7xf32>) -> tensor<2x16x7x7xf32>
  %y = "dnn.conv"(%r, %u) : (tensor<2x16x7x7xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x5x5xf32>
  func.return %y : tensor<2x16x5x5xf32>
}
