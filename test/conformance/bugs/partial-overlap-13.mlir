// A shifted copy of a state into itself goes by way of a temporary.
// DECIDE: %t apart from %b
// WRONG: %b {dnn.reuse = 0 : i32}, %t {dnn.reuse = array<i32: 0>} => dnn.concat
// GIVES: {"b": [[1, 2], [3, 4], [5, 6]], "n": [[7, 8]]} => [[[3, 4], [5, 6], [7, 8]]]

func.func @main(%b: tensor<3x2xf32>, %n: tensor<1x2xf32>) -> (tensor<3x2xf32> {dnn.tied = 0 : i32}) {
  %s = "dnn.slice"(%b) {dim = 0 : i64, start = 1 : i64, end = 3 : i64, step = 1 : i64} : (tensor<3x2xf32>) -> tensor<2x2xf32>
  %t = "dnn.concat"(%s, %n) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %t : tensor<3x2xf32>
}
