// What is copied into gives the place, whatever it is replaced by.
// DECIDE: %m over %b
// GIVES: {"x": [1, 2]} => [[1, 2]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %b = "dnn.zeros"() : () -> tensor<2xf32>
  %m = "dnn.copy_into"(%b, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %m : tensor<2xf32>
}
