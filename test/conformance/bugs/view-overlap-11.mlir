// A reshape that runs nothing is a use of what it is a shape of.
// DECIDE: %b apart from %a; %o over %v
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %v
// GIVES: {"x": [[0, 0], [0, 0]]} => [[1, 1, 1, 1]]

func.func @main(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %v = "dnn.reshape"(%a) : (tensor<2x2xf32>) -> tensor<4xf32>
  %b = "dnn.neg"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.reshape"(%b) : (tensor<2x2xf32>) -> tensor<4xf32>
  %o = "dnn.add"(%v, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %o : tensor<4xf32>
}
