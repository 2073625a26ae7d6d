// What lies in its part of a concat is read and written at the strides of the part.
// DECIDE: %a, %b in %c1; %r, %s in %c2
// GIVES: {"x": [[1, -2]], "y": [[3, 4]], "d": [[5, -6]]} => [[[1, 0, 3, 4, 5, 6]]]

func.func @main(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>, %d: tensor<1x2xf32>) -> tensor<1x6xf32> {
  %a = "dnn.relu"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %b = "dnn.relu"(%y) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %c1 = "dnn.concat"(%a, %b) {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %r = "dnn.abs"(%c1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %s = "dnn.abs"(%d) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %c2 = "dnn.concat"(%r, %s) {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  func.return %c2 : tensor<1x6xf32>
}
