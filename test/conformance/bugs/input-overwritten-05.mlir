// A view of an argument is the argument.
// DECIDE: %c not over %b: program-input
// WRONG: %c {dnn.inplace = array<i32: 0>} => read-only
// GIVES: {"a": [[1, 2], [3, 4]]} => [[2, 4, 6, 8]]

func.func @main(%a: tensor<2x2xf32>) -> tensor<4xf32> {
  %b = "dnn.reshape"(%a) : (tensor<2x2xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
