// A gradient lives until the weights are updated.
// DECIDE: %dx apart from %dw; %r over %w
// WRONG: %dw {dnn.reuse = array<i32: 0>}, %dx {dnn.reuse = array<i32: 0>} => reads %dw
// GIVES: {"x": [[1, 2], [3, 4]], "dy": [[1, 0], [0, 1]], "w": [[1, 1], [1, 1]]} => [[[0, -2], [-1, -3]], [[1, 1], [1, 1]]]

func.func @main(%x: tensor<2x2xf32>, %dy: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32> {dnn.tied = 2 : i32}, tensor<2x2xf32>) {
  %xt = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %wt = "dnn.transpose"(%w) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %dw = "dnn.matmul"(%xt, %dy) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %dx = "dnn.matmul"(%dy, %wt) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = "dnn.sub"(%w, %dw) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %r, %dx : tensor<2x2xf32>, tensor<2x2xf32>
}
