// A constant is nothing to accumulate into.
// DECIDE: %y over %t
// WRONG: %y {dnn.inplace = array<i32: 0>} => read-only
// GIVES: {"x": [1, -1]} => [[11, 20]]
// GIVES: {"x": [1, -1]} => [[11, 20]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = "dnn.constant"() {value = dense<[10.0, 20.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %t = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %y = "dnn.add"(%s, %t) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
