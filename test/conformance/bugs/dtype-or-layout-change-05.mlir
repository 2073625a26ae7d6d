// What is read at another index than it is written at is never in place.
// WRONG: %t {dnn.inplace = array<i32: 0>} => %t
// GIVES: {"x": [[1, 2, 3], [4, 5, 6]]} => [[[1, 4], [2, 5], [3, 6]]]

func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %a = "dnn.relu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %t : tensor<3x2xf32>
}
