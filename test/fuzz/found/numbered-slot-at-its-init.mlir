// a slot with a number of its own is put at its init
builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32> {dnn.donated, dnn.reuse = 0 : i32}, %c0: index) -> (tensor<2x3x2xf32> {dnn.tied = 0 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.softmax"(%x0) {axis = 0 : i64} : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %2, %r10, %r11 = scf.while (%3 = %1, %r1 = %x0, %r2 = %v0) : (index, tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> (index, tensor<2x3x2xf32>, tensor<2x3x2xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r2, %x0 : index, tensor<2x3x2xf32>, tensor<2x3x2xf32>
    } do {
    ^bb0(%5: index, %r3: tensor<2x3x2xf32>, %r4: tensor<2x3x2xf32>):
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r3, %r3 : index, tensor<2x3x2xf32>, tensor<2x3x2xf32>
    } attributes {dnn.reuse = array<i32: -1, -1, 0>}
    func.return %x0 : tensor<2x3x2xf32>
  }
}
