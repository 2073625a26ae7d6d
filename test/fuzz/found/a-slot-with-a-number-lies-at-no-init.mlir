// The slot of a while loop has a number: it does not lie at its init.
builtin.module {
  func.func @main(%x0: tensor<3x3xf32> {dnn.donated}, %x4: tensor<3x3xf32>, %c2: index) -> tensor<3x1x3xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v11 = "dnn.constant"() {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v12 = "dnn.lod_to_tnc"(%x0, %v11) {is_reverse = true, layout = "tnc"} : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<3x1x3xf32>
    %2, %r28, %r29 = scf.while (%3 = %1, %r18 = %x0) : (index, tensor<3x3xf32>) -> (index, tensor<3x3xf32>, tensor<3x1x3xf32>) {
      %4 = arith.cmpi slt, %3, %c2 : index
      scf.condition(%4) %3, %x0, %v12 : index, tensor<3x3xf32>, tensor<3x1x3xf32>
    } do {
    ^bb0(%5: index, %r19: tensor<3x3xf32>, %r20: tensor<3x1x3xf32>):
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %x4 : index, tensor<3x3xf32>
    } attributes {dnn.succ_reuse = [array<i32: -1, 1>]}
    func.return %r29 : tensor<3x1x3xf32>
  }
}
