// opt-tool --quantize-pass=type=bf16
func.func @main(%x: tensor<?x2xf32>, %wx: tensor<2x9xf32>, %wh: tensor<3x3x3xf32>, %b: tensor<1x9xf32>, %offsets: tensor<?xi64>) -> tensor<?x3xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %offsets) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} : (tensor<?x2xf32>, tensor<2x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<?xi64>) -> tensor<?x3xf32>
  func.return %h : tensor<?x3xf32>
}
