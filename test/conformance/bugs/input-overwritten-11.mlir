// The product takes the place of what it is to be multiplied by afterwards.
// DECIDE: %t apart from %d
// WRONG: %d {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %d
// GIVES: {"x": [[1, 2]], "w": [[1, 0], [0, 1]], "e": [[3, 5]]} => [[[3, 10]]]

func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %e: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %d = "dnn.relu"(%e) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %t = "dnn.matmul"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %y = "dnn.mul"(%t, %d) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
