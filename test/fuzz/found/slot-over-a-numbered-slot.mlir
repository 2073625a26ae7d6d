// An inner loop's slot started in one with a number, which an op of the inner body has too.
func.func @main(%x0: tensor<3x4xf32>, %x2: tensor<3x4xf32>, %c0: index) -> tensor<3x4xf32> {
  %0 = arith.constant 1 : index
  %1 = arith.constant 0 : index
  %r12, %r13 = scf.for %2 = %1 to %c0 step %0 iter_args(%r1 = %x0, %r2 = %x0) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %r9, %r10 = scf.for %3 = %1 to %c0 step %0 iter_args(%r4 = %r1, %r5 = %r2) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
      %v8 = "dnn.add"(%r5, %x2) {dnn.reuse = array<i32: 0>} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
      scf.yield %r4, %v8 : tensor<3x4xf32>, tensor<3x4xf32>
    }
    scf.yield %r10, %r2 : tensor<3x4xf32>, tensor<3x4xf32>
  } {dnn.reuse = array<i32: 0, -1>}
  func.return %r13 : tensor<3x4xf32>
}
