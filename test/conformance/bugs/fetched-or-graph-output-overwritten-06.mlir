// Three losses, all returned.
// DECIDE: %l not over %l1: returned
// WRONG: %l {dnn.inplace = array<i32: 0>} => func.return reads %l1
// WRONG: %l {dnn.inplace = array<i32: 1>} => func.return reads %l2
// GIVES: {"x": [2, 2], "y": [1, 1]} => [3, 1, 2]

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %s = "dnn.sub"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %l1 = "dnn.reduce_mean"(%s) {axes = array<i64: 0>, keepdims = false} : (tensor<2xf32>) -> tensor<f32>
  %m = "dnn.mul"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %l2 = "dnn.reduce_mean"(%m) {axes = array<i64: 0>, keepdims = false} : (tensor<2xf32>) -> tensor<f32>
  %l = "dnn.add"(%l1, %l2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %l, %l1, %l2 : tensor<f32>, tensor<f32>, tensor<f32>
}
