// a scatter goes over what the foreign op around it captures
builtin.module {
  func.func @main(%x0: tensor<3x4xf32>, %x2: tensor<2xf32>, %x3: tensor<2x3xf32>, %c1: index) -> tensor<2x3xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.silu"(%x0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %v2 = "dnn.constant"() {value = dense<[-5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01]> : tensor<4xf32>} : () -> tensor<4xf32>
    %2, %r20 = scf.while (%3 = %1, %r12 = %x2, %r13 = %x0) : (index, tensor<2xf32>, tensor<3x4xf32>) -> (index, tensor<4xf32>) {
      %4 = arith.cmpi slt, %3, %c1 : index
      scf.condition(%4) %3, %v2 : index, tensor<4xf32>
    } do {
    ^bb0(%5: index, %r14: tensor<4xf32>):
      %r19 = "strange.region"() ({
        %v16 = "dnn.constant"() {value = dense<2.500000e+00> : tensor<1xf32>} : () -> tensor<1xf32>
        %v17 = "dnn.diagonal_scatter"(%v0, %v16) {offset = 3 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<3x4xf32>, tensor<1xf32>) -> tensor<3x4xf32>
        "strange.yield"() : () -> ()
      }) : () -> tensor<4xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %x2, %x0 : index, tensor<2xf32>, tensor<3x4xf32>
    }
    func.return %x3 : tensor<2x3xf32>
  }
}
