// Part of what was made outside the loop is no place for what a round makes.
// DECIDE: %o not over %c: control-flow
// WRONG: %o {dnn.inplace = array<i32: 0>} => reads %c
// GIVES: {"x": [0, 0], "y": [0], "n": 3} => [[-3]]

func.func @main(%x: tensor<2xf32>, %y: tensor<1xf32>, %n: index) -> tensor<1xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %y) -> (tensor<1xf32>) {
    %c = "dnn.slice"(%v) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 1 : i64} : (tensor<2xf32>) -> tensor<1xf32>
    %o = "dnn.neg"(%c) : (tensor<1xf32>) -> tensor<1xf32>
    %u = "dnn.add"(%acc, %o) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    scf.yield %u : tensor<1xf32>
  }
  func.return %r : tensor<1xf32>
}
