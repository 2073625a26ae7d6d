// Twice the bytes do not fit.
// DECIDE: %b not over %a: kernel
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => dnn.cast writes %b
// GIVES: {"x": [1, -2]} => [[1, 0]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf64> {
  %a = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "dnn.cast"(%a) : (tensor<2xf32>) -> tensor<2xf64>
  func.return %b : tensor<2xf64>
}
