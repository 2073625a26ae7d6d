// A loop reads what it does not list.
// DIFFERS: after the loop %a is dead, so %t has to come before it for the bug to show.
// WRONG: %a {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %a
// DECIDE: %t apart from %a
// GIVES: {"x": [1, 2], "n": 0} => [[1, 2], [-1, -2]]
// GIVES: {"x": [0, 0], "n": 3} => [[0, 0], [0, 0]]

func.func @main(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %t = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %k, %r = scf.while (%i = %zero, %acc = %x) : (index, tensor<2xf32>) -> (index, tensor<2xf32>) {
    %m = arith.cmpi slt, %i, %n : index
    scf.condition(%m) %i, %acc : index, tensor<2xf32>
  } do {
  ^bb0(%j: index, %v: tensor<2xf32>):
    %next = arith.addi %j, %one : index
    %u = "dnn.mul"(%v, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %next, %u : index, tensor<2xf32>
  }
  func.return %r, %t : tensor<2xf32>, tensor<2xf32>
}
