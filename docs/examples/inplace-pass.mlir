// opt-tool --inplace-pass=explain=true
func.func @main(%w: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %x = "dnn.exp"(%w) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = "dnn.relu"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = "dnn.tanh"(%y) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = "dnn.add"(%z, %y) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %s : tensor<4x8xf32>
}
