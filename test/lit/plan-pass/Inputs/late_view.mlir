func.func @main(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %b = "dnn.tanh"(%a) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %v = "dnn.transpose"(%b) {perm = array<i64: 0, 1>} : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = "dnn.mul"(%v, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = "dnn.relu"(%g) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %y : tensor<64x16xf32>
}
