// Results of two runs are two arrays.
// DECIDE: %y over %s
// GIVES: {"x": [1, 2]} => [[1, 8]]
// GIVES: {"x": [3, 4]} => [[27, 64]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = "dnn.mul"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = "dnn.mul"(%s, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
