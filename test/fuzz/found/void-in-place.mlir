// An in-place decision over a smaller operand is void; the passes believed it.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<f32> {dnn.donated}) -> tensor<1xf32> {
  %a = "dnn.addcmul"(%x, %y, %x) {dnn.inplace = array<i32: 1>} : (tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "dnn.diagonal"(%a) {offset = 2 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x3xf32>) -> tensor<1xf32>
  %c = "dnn.neg"(%b) : (tensor<1xf32>) -> tensor<1xf32>
  func.return %c : tensor<1xf32>
}
