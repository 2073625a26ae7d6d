// Parts of an inner axis are strided: only for kernels that take strides.
// DECIDE: %a in %c
// WRONG: %c {dnn.parts = array<i32: 1>} => stride
// GIVES: {"x": [[1], [-2]], "y": [[0, 0], [0, 0]]} => [[[1, 0.5, 0.5], [0, 0.5, 0.5]]]

func.func @main(%x: tensor<2x1xf32>, %y: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %a = "dnn.relu"(%x) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %b = "dnn.softmax"(%y) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = "dnn.concat"(%a, %b) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  func.return %c : tensor<2x3xf32>
}
