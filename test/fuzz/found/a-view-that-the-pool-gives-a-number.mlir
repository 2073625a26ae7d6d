// A view that the pool gives a number.
func.func @main(%x0: tensor<3x3xf32> {dnn.donated}, %x1: tensor<3xf32>) -> (tensor<3xf32>) {
  %a = "dnn.clip"(%x0) {min = -1.0 : f32, max = 1.0 : f32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %b = "dnn.abs"(%x0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %u, %v, %w = "dnn.unbind"(%a) {axis = 1 : i64}
    : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %c = "dnn.softmax"(%w) : (tensor<3xf32>) -> tensor<3xf32>
  %d = "dnn.diagonal_scatter"(%b, %x1) : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  func.return %u : tensor<3xf32>
}
