// Memory is free when none of the values that share it is needed.
// DECIDE: %d apart from %m
// WRONG: %m {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %m
// WRONG: %m {dnn.reuse = array<i32: 0>}, %d {dnn.reuse = array<i32: 0>} => %m
// GIVES: {"x": [[1, 2]], "y": [[0, 0]], "w": [[0, 1], [1, 0]], "c": [[true, false]]} => [[[4, 4]], [[0, 0]]]

func.func @main(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>, %w: tensor<2x2xf32>, %c: tensor<1x2xi1>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %m = "dnn.add"(%x, %x) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %t = "dnn.tanh"(%y) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %d = "dnn.matmul"(%m, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %s = "dnn.where"(%c, %d, %m) : (tensor<1x2xi1>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %s, %t : tensor<1x2xf32>, tensor<1x2xf32>
}
