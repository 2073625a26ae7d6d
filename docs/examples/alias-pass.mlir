// opt-tool --alias-pass
func.func @main(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %half = "dnn.slice"(%x) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<4x8xf32>) -> tensor<2x8xf32>
  %y = "dnn.relu"(%half) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}
