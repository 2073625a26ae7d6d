// Accumulated into a view of a view: the root is taken as long as the sum is read.
// DECIDE: %s over %w; %t apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %s {dnn.inplace = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %s
// GIVES: {"x": [[0, 0]], "y": [[1, 2]], "z": [[3, 4]]} => [[[0.26894143, 0.7310586]], [[-3, -4]]]

func.func @main(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>, %z: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %a = "dnn.exp"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %v = "dnn.reshape"(%a) : (tensor<1x2xf32>) -> tensor<2x1xf32>
  %w = "dnn.reshape"(%v) : (tensor<2x1xf32>) -> tensor<1x2xf32>
  %s = "dnn.add"(%w, %y) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %t = "dnn.neg"(%z) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %o = "dnn.softmax"(%s) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %o, %t : tensor<1x2xf32>, tensor<1x2xf32>
}
