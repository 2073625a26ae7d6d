// A value inside a pattern that is returned stays, and stays whole.
// DECIDE: %s not over %d; %q over %v
// WRONG: %s {dnn.inplace = array<i32: 0>} => reads %d
// GIVES: {"x": [[1, 3]]} => [[[-1, 1]], [[-1, 1]]]

func.func @main(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %m = "dnn.reduce_mean"(%x) {axes = array<i64: 1>, keepdims = true} : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %d = "dnn.sub"(%x, %m) : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %s = "dnn.mul"(%d, %d) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %v = "dnn.reduce_mean"(%s) {axes = array<i64: 1>, keepdims = true} : (tensor<1x2xf32>) -> tensor<1x1xf32>
  %q = "dnn.sqrt"(%v) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %o = "dnn.div"(%d, %q) : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  func.return %o, %d : tensor<1x2xf32>, tensor<1x2xf32>
}
