// An activation is read until its backward op ends, that op included.
// WRONG: %y {dnn.reuse = array<i32: 0>}, %dy {dnn.reuse = array<i32: 0>} => reads %y
// GIVES: {"x": [0, 0], "g": [0, 0]} => [0, [1, 1]]

func.func @main(%x: tensor<2xf32>, %g: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {
  %y = "dnn.tanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %loss = "dnn.reduce_sum"(%y) {axes = array<i64: 0>, keepdims = false} : (tensor<2xf32>) -> tensor<f32>
  %dy = "dnn.exp"(%g) : (tensor<2xf32>) -> tensor<2xf32>
  %one = "dnn.ones"() : () -> tensor<2xf32>
  %s = "dnn.mul"(%y, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %o = "dnn.sub"(%one, %s) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %da = "dnn.mul"(%dy, %o) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %loss, %da : tensor<f32>, tensor<2xf32>
}
