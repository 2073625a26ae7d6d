// Repeated, and of another type.
// DECIDE: %b not over %a: kernel
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => dnn.less_or_equal writes %b
// GIVES: {"x": [1, 2]} => [[true, true]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xi1> {
  %a = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "dnn.less_or_equal"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %b : tensor<2xi1>
}
