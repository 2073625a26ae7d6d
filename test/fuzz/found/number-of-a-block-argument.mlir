// Where a branch yields an argument of a block, the number of their storage went to the function's argument of that index.
func.func @main(%x1: tensor<3x4xf64>, %x2: tensor<4xf64>, %c2: i1) -> tensor<2x4xf64> {
  %0 = arith.constant 0 : index
  cf.br ^bb1(%0, %x1, %x1 : index, tensor<3x4xf64>, tensor<3x4xf64>)
^bb1(%1: index, %r13: tensor<3x4xf64>, %r14: tensor<3x4xf64>):
  %r30, %r31 = scf.if %c2 -> (tensor<3x4xf64>, tensor<3x4xf64>) {
    scf.yield %r13, %x1 : tensor<3x4xf64>, tensor<3x4xf64>
  } else {
    scf.yield %r13, %x1 : tensor<3x4xf64>, tensor<3x4xf64>
  }
  %v32 = "dnn.stack"(%x2, %x2) {axis = 0 : i64} : (tensor<4xf64>, tensor<4xf64>) -> tensor<2x4xf64>
  func.return %v32 : tensor<2x4xf64>
}
