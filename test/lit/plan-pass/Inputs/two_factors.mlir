func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = "dnn.exp"(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = "dnn.tanh"(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = "dnn.matmul"(%a, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = "dnn.mul"(%c, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  func.return %d : tensor<32x32xf32>
}
