// Given away, and read by a loop before it is updated again: that is legal.
// DECIDE: %y over %x; %z over %y
// RIGHT: %y {dnn.inplace = array<i32: 0>}, %z {dnn.inplace = array<i32: 0>}
// GIVES: {"x": [1, 2], "a": [0, 0], "n": 2} => [[1, 2], [-2, -4]]

func.func @main(%x: tensor<2xf32> {dnn.donated}, %a: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %s = scf.for %i = %zero to %n step %one iter_args(%acc = %a) -> (tensor<2xf32>) {
    %u = "dnn.add"(%acc, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %u : tensor<2xf32>
  }
  %z = "dnn.neg"(%y) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %z, %s : tensor<2xf32>, tensor<2xf32>
}
