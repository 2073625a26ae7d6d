// A sum that is returned beside what is made of it.
// DECIDE: %n not over %s: returned; %s over %e
// WRONG: %n {dnn.inplace = array<i32: 0>} => func.return reads %s
// GIVES: {"i": [1], "t": [[1, 2], [3, 5]], "p": [[1, 1]]} => [[[0.11920292, 0.880797]], [[4, 6]]]

func.func @main(%i: tensor<1xi64>, %t: tensor<2x2xf32>, %p: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %e = "dnn.gather"(%t, %i) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %s = "dnn.add"(%e, %p) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %n = "dnn.softmax"(%s) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %n, %s : tensor<1x2xf32>, tensor<1x2xf32>
}
