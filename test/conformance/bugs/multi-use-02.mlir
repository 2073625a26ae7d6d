// Every other reader of the accumulator comes before: legal, and refused too often.
// DECIDE: %s over %c
// RIGHT: %s {dnn.inplace = array<i32: 1>}
// GIVES: {"x": [[1, -2], [3, 4]], "w": [[1, 0], [0, 1]]} => [[[2, 0], [6, 8]]]

func.func @main(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "dnn.relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = "dnn.matmul"(%r, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.matmul"(%b, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = "dnn.add"(%c, %r) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}
