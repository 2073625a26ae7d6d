// A reduced gradient is smaller than the operand, which is read again.
// DECIDE: %gx not over %g: kernel
// WRONG: %g {dnn.reuse = array<i32: 0>}, %gx {dnn.reuse = array<i32: 0>} => dnn.reduce_sum writes %gx
// GIVES: {"x": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]} => [[16, 20], [[[-1, -2], [-3, -4]], [[-5, -6], [-7, -8]]]]

func.func @main(%x: tensor<2x2x2xf32>) -> (tensor<2xf32>, tensor<2x2x2xf32>) {
  %g = "dnn.relu"(%x) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %gx = "dnn.reduce_sum"(%g) {axes = array<i64: 0, 1>, keepdims = false} : (tensor<2x2x2xf32>) -> tensor<2xf32>
  %gy = "dnn.neg"(%g) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  func.return %gx, %gy : tensor<2xf32>, tensor<2x2x2xf32>
}
