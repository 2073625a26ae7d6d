// A reshaped argument is read after the product of what was made of it.
// DECIDE: %z not over %y: returned; %y not over %n
// WRONG: %z {dnn.inplace = array<i32: 0>} => func.return reads %y
// GIVES: {"x": [[[1, 3]]], "w": [[1, 2], [3, 4]]} => [[[2.7615942, 3.7615942]], [[3.7615942, 6.7615942]]]

func.func @main(%x: tensor<1x1x2xf32>, %w: tensor<2x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %a = "dnn.reshape"(%x) : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %n = "dnn.softmax"(%a) {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = "dnn.matmul"(%n, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = "dnn.add"(%y, %a) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}
