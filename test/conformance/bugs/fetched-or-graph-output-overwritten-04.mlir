// A copy that is left out is another name for what it copied, and that is returned.
// DECIDE: %b apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => func.return reads %c
// GIVES: {"x": [1, 2], "y": [3, -4]} => [[1, 2], [-3, 4]]

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %c = "dnn.identity"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "dnn.neg"(%y) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c, %b : tensor<2xf32>, tensor<2xf32>
}
