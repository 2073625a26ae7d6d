// An arm that yields a constant: what lies over the result must not reach the constant.
// DECIDE: %o over %r
// WRONG: %r {dnn.reuse = array<i32: 0>}, %x {dnn.reuse = 0 : i32} => read-only
// GIVES: {"c": true, "x": [-1, 2, -3, 4]} => [[5, 0, 5, 5]]
// GIVES: {"c": false, "x": [-1, 2, -3, 4]} => [[0, 2, 0, 4]]
// GIVES: {"c": true, "x": [-1, 2, -3, 4]} => [[5, 0, 5, 5]]

func.func @main(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %w = "dnn.constant"() {value = dense<[5.0, -5.0, 5.0, 5.0]> : tensor<4xf32>} : () -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %o = "dnn.relu"(%r) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %o : tensor<4xf32>
}
