// opt-tool --placement-pass
func.func @main(%x: tensor<4x2xf32>, %w: tensor<2x2xf32>, %v: tensor<4x2xf64>) -> (tensor<2x4xf32>, tensor<4x2xf64>) {
  %a = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %b = "dnn.relu"(%a) {dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = "dnn.softmax"(%b) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = "dnn.transpose"(%y) : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %z = "dnn.softmax"(%v) : (tensor<4x2xf64>) -> tensor<4x2xf64>
  func.return %c, %z : tensor<2x4xf32>, tensor<4x2xf64>
}
