// A transpose that was a copy becomes a view of what is updated in place.
// DECIDE: %m not over %a
// WRONG: %m {dnn.inplace = array<i32: 0>} => func.return reads %t
// RIGHT: %m {dnn.inplace = array<i32: 0>}, %t {dnn.copy}
// GIVES: {"x": [[0, 0, 0], [0, 0, 0]]} => [[[1, 1], [1, 1], [1, 1]], [[2, 2, 2], [2, 2, 2]]]

func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %a = "dnn.exp"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %one = "dnn.ones"() : () -> tensor<2x3xf32>
  %m = "dnn.add"(%a, %one) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %t, %m : tensor<3x2xf32>, tensor<2x3xf32>
}
