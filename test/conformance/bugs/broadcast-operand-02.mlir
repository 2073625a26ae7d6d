// What is added has one row; the result does not fit into it.
// DECIDE: %o over %c
// WRONG: %b {dnn.reuse = array<i32: 0>}, %o {dnn.reuse = array<i32: 0>} => dnn.add writes %o
// GIVES: {"x": [[1, 2], [3, 4]], "w": [[1, 0], [0, 1]], "r": [[10], [20]]} => [[[11, 12], [23, 24]]]

func.func @main(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>, %r: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %b = "dnn.relu"(%r) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %c = "dnn.matmul"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %o = "dnn.add"(%c, %b) : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  func.return %o : tensor<2x2xf32>
}
