// Relu of -0 at strides.
func.func @main(%x0: tensor<3x2xf32> {dnn.donated}) -> (tensor<2xf32>) {
  %a = "dnn.cast"(%x0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %b = "dnn.diagonal"(%a) {dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<3x2xf32>) -> tensor<2xf32>
  %c = "dnn.relu"(%b) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}
