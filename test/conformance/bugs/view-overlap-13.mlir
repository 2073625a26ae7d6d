// A view does not own what it shows.
// DECIDE: %y not over %v: program-input
// WRONG: %y {dnn.inplace = array<i32: 0>} => read-only
// GIVES: {"a": [-1, 2, -3, 4]} => [[0, 2], 2]

func.func @main(%a: tensor<4xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %v = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  %y = "dnn.relu"(%v) : (tensor<2xf32>) -> tensor<2xf32>
  %z = "dnn.reduce_sum"(%a) {axes = array<i64: 0>, keepdims = false} : (tensor<4xf32>) -> tensor<f32>
  func.return %y, %z : tensor<2xf32>, tensor<f32>
}
