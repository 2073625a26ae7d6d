builtin.module {
  func.func @main(%x0: tensor<6xf32> {dnn.donated}, %c0: index) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[-5.000000e-01, 2.500000e+00, -1.500000e+00, 1.500000e+00, -1.500000e+00, 2.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v1 = "dnn.zeros"(%v0) : (tensor<6xf32>) -> tensor<6xf32>
    %v2 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<6xf32>) -> tensor<6xf32>
    cf.br ^bb1(%1, %v2 : index, tensor<6xf32>)
  ^bb1(%2: index, %r3: tensor<6xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r5 = scf.for %4 = %1 to %c0 step %0 iter_args(%r4 = %r3) -> (tensor<6xf32>) {
      scf.yield %x0 : tensor<6xf32>
    }
    %v6 = "dnn.abs"(%r3) : (tensor<6xf32>) -> tensor<6xf32>
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5, %v6 : index, tensor<6xf32>)
  ^bb3:
    func.return %x0, %r3 : tensor<6xf32>, tensor<6xf32>
  }
}
// optimal: 5 reuse=0 refused=[constant]; 6 inplace=0; 7 succ_reuse=[-1,0]; 10 refused=[used-later]; 12 inplace=0; 14 succ_reuse=[-1,0]; 6078800a4aff
// paddle: 5 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 refused=[engine]; 0cf7cfe572d6
// nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 10 refused=[used-later] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; ae9e55ba0d46
// reinplace: 5 refused=[constant]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 refused=[returned]; b0af933f1e2f
// transpiler: 5 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 inplace=0; c6990d9d2a0b
// pool, optimal: 5 reuse=0 refused=[constant]; 6 inplace=0; 7 succ_reuse=[-1,0]; 10 refused=[used-later]; 12 inplace=0; 14 succ_reuse=[-1,0]; 6078800a4aff
// pool, transpiler: 5 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 inplace=0; c6990d9d2a0b
// random, nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 10 refused=[used-later] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; ae9e55ba0d46
// random, transpiler: 5 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 inplace=0; c6990d9d2a0b
