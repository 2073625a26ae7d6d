// Flattened, and read in a product after something of the same size was made.
// DECIDE: %t apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %f
// GIVES: {"x": [[[1, 2]]], "z": [[[0, 0]]], "w": [[1], [1]]} => [[[3]], [[[1, 1]]]]

func.func @main(%x: tensor<1x1x2xf32>, %z: tensor<1x1x2xf32>, %w: tensor<2x1xf32>) -> (tensor<1x1xf32>, tensor<1x1x2xf32>) {
  %a = "dnn.relu"(%x) : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %f = "dnn.flatten"(%a) {axis = 1 : i64} : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %t = "dnn.exp"(%z) : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %o = "dnn.matmul"(%f, %w) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  func.return %o, %t : tensor<1x1xf32>, tensor<1x1x2xf32>
}
