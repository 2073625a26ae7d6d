builtin.module {
  func.func @main(%x0: tensor<6xf64> {dnn.donated}, %c0: i1) -> tensor<6xf64> {
    %r2 = scf.if %c0 -> (tensor<6xf64>) {
      %r0 = tensor.extract_slice %x0[1] [2] [1] : tensor<6xf64> to tensor<2xf64>
      scf.yield %x0 : tensor<6xf64>
    } else {
      %v1 = "dnn.constant"() {value = dense<[-5.000000e-01, -2.500000e+00, 5.000000e-01, -1.500000e+00, 2.500000e+00, 1.500000e+00]> : tensor<6xf64>} : () -> tensor<6xf64>
      scf.yield %v1 : tensor<6xf64>
    }
    %r3 = func.call @f0(%x0, %x0) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    %v4 = "dnn.add"(%r2, %r3) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    func.return %x0 : tensor<6xf64>
  }
  func.func private @f0(tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
}
// optimal: 8 inplace=0; 5c27b49655fc
// paddle: 8 refused=[engine]; 4c7a7a20a647
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; f89f31e2188d
// reinplace: 8 inplace=0; 5c27b49655fc
// transpiler: 8 refused=[not-listed]; f89f31e2188d
// pool, optimal: 8 inplace=0; 5c27b49655fc
// pool, transpiler: 8 refused=[not-listed]; f89f31e2188d
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; f89f31e2188d
// random, transpiler: 8 refused=[not-listed]; f89f31e2188d
