// A buffer that a round writes is made anew in every round.
// WRONG: %t2 {dnn.inplace = array<i32: 0>} => reads %e, but bytes [0, 4) of the memory of %t were overwritten
// DECIDE: %t2 not over %t: control-flow
// GIVES: {"x": [0, 0], "c": [5], "n": 2} => [[7]]

func.func @main(%x: tensor<2xf32>, %c: tensor<1xf32>, %n: index) -> tensor<1xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<1xf32>) {
    %e = "dnn.slice"(%t) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>) -> tensor<1xf32>
    %e1 = "dnn.add"(%acc, %e) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %t2 = "dnn.slice_scatter"(%t, %e1) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
    %y = "dnn.slice"(%t2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>) -> tensor<1xf32>
    scf.yield %y : tensor<1xf32>
  }
  func.return %r : tensor<1xf32>
}
