// opt-tool --fold-producer-pass
// The mask is numbers for the product: the comparison can make them itself, in the memory of what it compares.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.mul"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.less_or_equal"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}
