// In place after a plan was made: the plan's next value would be read where it is written.
// DIFFERS: dnn.layer_norm and dnn.softmax may be in place; dnn.matmul may not.
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.inplace = array<i32: 0>}, %c {dnn.reuse = array<i32: 0>} => dnn.matmul writes %c
// RIGHT: %a {dnn.reuse = array<i32: 0>}, %b {dnn.inplace = array<i32: 0>}, %d {dnn.reuse = array<i32: 0>}
// DECIDE: %b over %a
// GIVES: {"x": [[0, 0]], "w": [[1, 2], [3, 4]]} => [[[2, 3]], [[0.5, 0.5]]]

func.func @main(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %a = "dnn.relu"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %b = "dnn.softmax"(%a) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %c = "dnn.matmul"(%b, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %d = "dnn.softmax"(%b) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %c, %d : tensor<1x2xf32>, tensor<1x2xf32>
}
