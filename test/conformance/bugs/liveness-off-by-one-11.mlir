// A state is replaced after the last look at the old one.
// DECIDE: %n not over %s
// DIFFERS: the new state is made beside the old one, and copied at the return: no op is put off.
// WRONG: %n {dnn.inplace = array<i32: 0>} => reads %v
// GIVES: {"s": [0, 1, 2, 3]} => [[1, 2, 3, 4], [1, 7.389056]]

func.func @main(%s: tensor<4xf32>) -> (tensor<4xf32> {dnn.tied = 0 : i32}, tensor<2xf32>) {
  %v = "dnn.slice"(%s) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  %one = "dnn.ones"() : () -> tensor<4xf32>
  %n = "dnn.add"(%s, %one) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %p = "dnn.add"(%v, %v) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %q = "dnn.exp"(%p) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %n, %q : tensor<4xf32>, tensor<2xf32>
}
