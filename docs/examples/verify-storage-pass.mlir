// opt-tool --verify-storage-pass
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
