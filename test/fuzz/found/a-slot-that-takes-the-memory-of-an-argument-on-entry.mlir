// The slot of the loop has the number of %x: it is written on entry, while %v is still read inside.
func.func @main(%x: tensor<4xf32> {dnn.donated, dnn.reuse = 2 : i32}, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %v = "dnn.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %i, %r = scf.while (%k = %zero, %s = %y) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k, %s : index, tensor<4xf32>
  } do {
  ^body(%k: index, %s: tensor<4xf32>):
    %a = "dnn.mul"(%v, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %next = arith.addi %k, %one : index
    scf.yield %next, %a : index, tensor<4xf32>
  } attributes {dnn.succ_reuse = [array<i32: -1, 2>]}
  func.return %r : tensor<4xf32>
}
