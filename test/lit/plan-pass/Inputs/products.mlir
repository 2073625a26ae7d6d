func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.matmul"(%x, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = "dnn.mul"(%b, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %g : tensor<64x16xf32>
}
