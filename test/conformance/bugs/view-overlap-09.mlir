// A call of an unknown function may hand back its operand.
// DECIDE: %b apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %v

func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "builtin_like.reshape"(%a) : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.reshape"(%b) : (tensor<4xf32>) -> tensor<2x2xf32>
  %o = "dnn.add"(%v, %c) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %o : tensor<2x2xf32>
}
