// A residual chain: the last reader may write, the first may not.
// DECIDE: %a1 not over %a0: used-later; %b1 over %a1; %b3 over %a3
// WRONG: %a1 {dnn.inplace = array<i32: 0>} => reads %a0
// WRONG: %a2 {dnn.inplace = array<i32: 0>} => reads %b1
// RIGHT: %b1 {dnn.inplace = array<i32: 0>}, %a2 {dnn.inplace = array<i32: 1>}, %b2 {dnn.inplace = array<i32: 0>}, %a3 {dnn.inplace = array<i32: 0>}, %b3 {dnn.inplace = array<i32: 0>}
// GIVES: {"x": [1, 1]} => [[5, 5]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a0 = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %a1 = "dnn.add"(%a0, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b1 = "dnn.relu"(%a1) : (tensor<2xf32>) -> tensor<2xf32>
  %a2 = "dnn.add"(%b1, %a0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b2 = "dnn.relu"(%a2) : (tensor<2xf32>) -> tensor<2xf32>
  %a3 = "dnn.add"(%b2, %b1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b3 = "dnn.relu"(%a3) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b3 : tensor<2xf32>
}
