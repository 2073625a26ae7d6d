// A loop's slot took the number of what went over it; another member of that number is written while the slot is read.
func.func @main(%x0: tensor<2x3x2xf32>, %x1: tensor<1xf32>, %c0: index) -> tensor<3xf32> {
  %0 = arith.constant 1 : index
  %1 = arith.constant 0 : index
  %2, %r6 = scf.while (%3 = %1) : (index) -> (index, tensor<1xf32>) {
    %4 = arith.cmpi slt, %3, %c0 : index
    scf.condition(%4) %3, %x1 : index, tensor<1xf32>
  } do {
  ^bb0(%5: index, %r4: tensor<1xf32>):
    %v5 = "dnn.sqrt"(%r4) {dnn.reuse = array<i32: 1>} : (tensor<1xf32>) -> tensor<1xf32>
    %6 = arith.addi %5, %0 : index
    scf.yield %6 : index
  }
  %v10 = "dnn.concat"(%r6, %x1, %x1) {axis = 0 : i64} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  %v13 = "dnn.neg"(%x0) {dnn.reuse = array<i32: 1>} : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %7, %r26, %r27 = scf.while (%8 = %1, %r16 = %x1, %r17 = %r6) : (index, tensor<1xf32>, tensor<1xf32>) -> (index, tensor<3xf32>, tensor<3xf32>) {
    %9 = arith.cmpi slt, %8, %c0 : index
    scf.condition(%9) %8, %v10, %v10 : index, tensor<3xf32>, tensor<3xf32>
  } do {
  ^bb0(%10: index, %r18: tensor<3xf32>, %r19: tensor<3xf32>):
    %11 = arith.addi %10, %0 : index
    scf.yield %11, %x1, %x1 : index, tensor<1xf32>, tensor<1xf32>
  }
  func.return %v10 : tensor<3xf32>
}
