// No op may write over the result of an unknown op, which is unknown memory.
// DECIDE: %y not over %c: operands-alias
// WRONG: %y {dnn.inplace = array<i32: 0>} => memory that another op may still own

func.func @main(%i: index) -> tensor<4xf32> {
  %b = "strange.source"() : () -> tensor<4xf32>
  %c = "strange.view"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %y = "dnn.relu"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
