// Filled before the loop, read last in its text: the next round reads it again.
// DECIDE: %s over %a; %t over %s
// WRONG: %k {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %k
// GIVES: {"x": [0, 0], "y": [0, 0], "n": 2} => [[15.154262, 15.154262]]

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k = "dnn.neg"(%y) : (tensor<2xf32>) -> tensor<2xf32>
  %x0 = "dnn.ones"() : () -> tensor<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x0) -> (tensor<2xf32>) {
    %s = "dnn.add"(%a, %k) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %t = "dnn.exp"(%s) : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %t : tensor<2xf32>
  }
  func.return %r : tensor<2xf32>
}
