// The state is counted up where it is; the one that is added stays one.
// DECIDE: %n over %c
// WRONG: %n {dnn.inplace = array<i32: 1>} => read-only
// GIVES: {"c": [1]} => [[2]]
// GIVES: {"c": [2]} => [[3]]

func.func @main(%c: tensor<1xf32>) -> (tensor<1xf32> {dnn.tied = 0 : i32}) {
  %one = "dnn.constant"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %n = "dnn.add"(%c, %one) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %n : tensor<1xf32>
}
