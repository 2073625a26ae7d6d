// Every offset in the arena is a multiple of 64, whatever fits between.
// WRONG: %a {dnn.offset = array<i64: 0>}, %b {dnn.offset = array<i64: 32>} => 64
// GIVES: {"x": [1, 1, 1, 1, 1, 1, 1], "w": [[1, 2], [3, 4]]} => [[[7, 10], [15, 22]], 7]

func.func @main(%x: tensor<7xf32>, %w: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
  %a = "dnn.relu"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  %b = "dnn.relu"(%w) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = "dnn.matmul"(%b, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = "dnn.reduce_sum"(%a) {axes = array<i64: 0>, keepdims = false} : (tensor<7xf32>) -> tensor<f32>
  func.return %y, %s : tensor<2x2xf32>, tensor<f32>
}
