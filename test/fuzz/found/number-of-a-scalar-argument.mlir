// As number-of-a-block-argument, and the function's argument of that index is a scalar.
func.func @main(%c0: i1, %c1: i1, %x: tensor<6xf64>) -> tensor<6xf64> {
  %v2, %v3 = "dnn.split"(%x) {axis = 0 : i64, split_size = 5 : i64} : (tensor<6xf64>) -> (tensor<5xf64>, tensor<1xf64>)
  cf.br ^bb1(%x, %v2 : tensor<6xf64>, tensor<5xf64>)
^bb1(%r4: tensor<6xf64>, %r5: tensor<5xf64>):
  %r8, %r9 = scf.if %c1 -> (tensor<5xf64>, tensor<5xf64>) {
    scf.yield %r5, %v2 : tensor<5xf64>, tensor<5xf64>
  } else {
    scf.yield %r5, %r5 : tensor<5xf64>, tensor<5xf64>
  }
  func.return %r4 : tensor<6xf64>
}
