// Both pieces are made where the concat wants them, whatever looks at them before.
// DECIDE: %a, %b in %cat
// RIGHT: %cat {dnn.parts = array<i32: 0, 1>}
// GIVES: {"x": [3], "y": [5]} => [[3, 5]]

func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<2xf32> {
  %a = "dnn.relu"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %i = "dnn.identity"(%a) : (tensor<1xf32>) -> tensor<1xf32>
  %b = "dnn.relu"(%y) : (tensor<1xf32>) -> tensor<1xf32>
  %cat = "dnn.concat"(%a, %b) {axis = 0 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  func.return %cat : tensor<2xf32>
}
