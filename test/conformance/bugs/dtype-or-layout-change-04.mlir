// An op that reads only a shape reads no bytes and sees no other shape.
// DECIDE: %g not over %a: returned
// GIVES: {"x": [[1, 2], [-3, 4]]} => [[1, 2, 0, 4], [[3, 3], [3, 3]]]

func.func @main(%x: tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %a = "dnn.relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = "dnn.reshape"(%a) : (tensor<2x2xf32>) -> tensor<4xf32>
  %g = "dnn.fill"(%a) {value = 3.0 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %b, %g : tensor<4xf32>, tensor<2x2xf32>
}
