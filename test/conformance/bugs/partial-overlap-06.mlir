// A loop updates its own copy where the first one is read afterwards.
// DECIDE: %r not over %z: used-later; %o2 over %o; %s2 over %s
// WRONG: %r {dnn.inplace = array<i32: 3>}, %o2 {dnn.inplace = array<i32: 0>} => reads %z
// GIVES: {"x": [0, 0], "n": 1} => [[2.7182817, 1], [-1, -1]]

func.func @main(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%o = %z) -> (tensor<2xf32>) {
    %s = "dnn.slice"(%o) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>) -> tensor<1xf32>
    %s2 = "dnn.exp"(%s) : (tensor<1xf32>) -> tensor<1xf32>
    %o2 = "dnn.slice_scatter"(%o, %s2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
    scf.yield %o2 : tensor<2xf32>
  }
  %u = "dnn.neg"(%z) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %r, %u : tensor<2xf32>, tensor<2xf32>
}
