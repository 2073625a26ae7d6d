// A result is the caller's from the moment it is handed over.
// DECIDE: %y apart from %x
// GIVES: {"x": [1, 1]} => [[2, 2]]
// GIVES: {"x": [2, 2]} => [[4, 4]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "dnn.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
