// opt-tool --lower-to-onednn-pass
func.func @main(%in: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %x = "dnn.exp"(%in) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = "dnn.softmax"(%y) {axis = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %z : tensor<4x8xf32>
}
