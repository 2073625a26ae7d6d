// Weights take no part in sharing: only the result has a place.
// DECIDE: %y apart from %w; %z over %y
// WRONG: %z {dnn.inplace = array<i32: 1>} => read-only
// GIVES: {"x": [[1, 2]]} => [[[3, 3]]]

func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = "dnn.constant"() {value = dense<1.0> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
  %v = "dnn.constant"() {value = dense<0.0> : tensor<1x2xf32>} : () -> tensor<1x2xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = "dnn.add"(%y, %v) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}
