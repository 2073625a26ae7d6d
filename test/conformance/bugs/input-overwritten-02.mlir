// Memory that the caller looks at afterwards is read at the end.
// DECIDE: %m1 over %m
// WRONG: %m {dnn.reuse = 0 : i32}, %m1 {dnn.reuse = array<i32: 0>}, %hc {dnn.reuse = array<i32: 0>} => reads %m1
// GIVES: {"m": [0, 10], "g": [20, 20], "p": [1, 1], "h": [7, 8]} => [[1, 10.5], [0.99, 0.895], [7, 8]]

func.func @main(%m: tensor<2xf32>, %g: tensor<2xf32>, %p: tensor<2xf32>, %h: tensor<2xf64>) -> (tensor<2xf32> {dnn.tied = 0 : i32}, tensor<2xf32>, tensor<2xf32>) {
  %d = "dnn.sub"(%g, %m) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %e = "dnn.scale"(%d) {scale = 0.05 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %m1 = "dnn.add"(%m, %e) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %f = "dnn.scale"(%m1) {scale = -0.01 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %p1 = "dnn.add"(%p, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %hc = "dnn.cast"(%h) : (tensor<2xf64>) -> tensor<2xf32>
  func.return %m1, %p1, %hc : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
