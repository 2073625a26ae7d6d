// A derivative is read by two products.
// DECIDE: %a over %f; %dx apart from %df
// WRONG: %df {dnn.reuse = array<i32: 0>}, %dx {dnn.reuse = array<i32: 0>} => dnn.matmul writes %dx
// WRONG: %df {dnn.inplace = array<i32: 1>}, %o {dnn.reuse = array<i32: 0>}, %dx {dnn.reuse = array<i32: 0>} => dnn.matmul writes %dx
// GIVES: {"x": [[0, 0], [0, 0]], "w": [[1, 2], [3, 4]], "da": [[1, 0], [0, 1]]} => [[[1, 3], [2, 4]], [[0, 0], [0, 0]]]

func.func @main(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>, %da: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %f = "dnn.matmul"(%x, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %a = "dnn.tanh"(%f) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = "dnn.mul"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %one = "dnn.ones"() : () -> tensor<2x2xf32>
  %o = "dnn.sub"(%one, %s) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %df = "dnn.mul"(%da, %o) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %wt = "dnn.transpose"(%w) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %dx = "dnn.matmul"(%df, %wt) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %xt = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %dw = "dnn.matmul"(%xt, %df) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %dx, %dw : tensor<2x2xf32>, tensor<2x2xf32>
}
