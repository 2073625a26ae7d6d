// opt-tool --liveness-pass
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}
