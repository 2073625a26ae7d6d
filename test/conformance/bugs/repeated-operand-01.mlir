// Reversed into itself.
// WRONG: %x {dnn.reuse = 0 : i32}, %r {dnn.reuse = array<i32: 0>} => dnn.gather writes %r
// DECIDE: %r not over %x; %o over %r
// GIVES: {"x": [0, 1, 2, 3]} => [[6, 4, 2, 0]]

func.func @main(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %i = "dnn.constant"() {value = dense<[3, 2, 1, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r = "dnn.gather"(%x, %i) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
  %o = "dnn.add"(%r, %r) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %o : tensor<4xf32>
}
