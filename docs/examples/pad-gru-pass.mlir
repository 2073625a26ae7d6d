// opt-tool --pad-gru-pass=steps=4
func.func @main(%x: tensor<5x2xf32>, %wx: tensor<2x9xf32>, %wh: tensor<3x9xf32>, %offsets: tensor<3xi64>) -> tensor<5x3xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %offsets) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x9xf32>, tensor<3x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  func.return %h : tensor<5x3xf32>
}
