// One operand read at two indices.
// DECIDE: %c not over %b: overlapping-view
// WRONG: %c {dnn.inplace = array<i32: 0>} => dnn.add writes %c
// GIVES: {"a": [[0, 1], [2, 0]]} => [[[2, 10.107338], [10.107338, 2]]]

func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = "dnn.exp"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = "dnn.transpose"(%b) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.add"(%b, %t) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %c : tensor<2x2xf32>
}
