// What is returned is read at the end.
// DECIDE: %d not over %a: returned; %c over %d
// WRONG: %d {dnn.inplace = array<i32: 0>} => func.return reads %a
// GIVES: {"x": [[1, -2], [3, 4]], "y": [[1, 2], [3, 4]]} => [[[0, 0], [0, 0]], [[1, 2], [3, 4]], [[1, 2], [3, 4]]]

func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = "dnn.abs"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = "dnn.abs"(%y) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = "dnn.sub"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.mul"(%d, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %c, %a, %b : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
