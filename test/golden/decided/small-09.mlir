builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %c0: index) -> (tensor<2x2xf64>, tensor<2x2xf64> {dnn.tied = 0 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[0, -3], [-1, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %v1 = "dnn.relu"(%v0) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %v2 = "dnn.sigmoid"(%x0) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %2, %r9, %r10 = scf.while (%3 = %1, %r3 = %v0, %r4 = %v2) : (index, tensor<2x2xi32>, tensor<2x2xf64>) -> (index, tensor<2x2xi32>, tensor<2x2xf64>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0, %v2 : index, tensor<2x2xi32>, tensor<2x2xf64>
    } do {
    ^bb0(%5: index, %r5: tensor<2x2xi32>, %r6: tensor<2x2xf64>):
      %v7 = "dnn.relu"(%r6) : (tensor<2x2xf64>) -> tensor<2x2xf64>
      %v8 = "dnn.neg"(%r6) : (tensor<2x2xf64>) -> tensor<2x2xf64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r5, %v8 : index, tensor<2x2xi32>, tensor<2x2xf64>
    }
    %v11 = "dnn.matmul"(%v2, %r10) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    func.return %v11, %x0 : tensor<2x2xf64>, tensor<2x2xf64>
  }
}
// optimal: 5 refused=[constant]; 6 reuse=0 refused=[returned]; 7 inplace=-1,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,1] refused=[control-flow]; 10 refused=[used-later]; 11 reuse=1 refused=[control-flow]; 14 refused=[kernel]; c75df7c42c8d
// paddle: 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[constant control-flow]; 10 refused=[engine]; 11 refused=[not-listed]; 14 refused=[kernel]; 9829016581f6
// nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[constant control-flow] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[kernel] inplace_mode=none; c1f31cadd7d9
// reinplace: 5 refused=[constant]; 6 refused=[program-input]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 inplace=0; 14 refused=[kernel]; c15e60652f9e
// transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 refused=[not-listed]; 14 refused=[kernel]; 449608eccfe0
// pool, optimal: 5 refused=[constant]; 6 reuse=0 refused=[returned]; 7 inplace=-1,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,1] refused=[control-flow]; 10 refused=[used-later]; 11 reuse=1 refused=[control-flow]; 14 refused=[kernel]; c75df7c42c8d
// pool, transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 refused=[not-listed]; 14 refused=[kernel]; 449608eccfe0
// random, nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[constant control-flow] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[kernel] inplace_mode=none; c1f31cadd7d9
// random, transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 refused=[not-listed]; 14 refused=[kernel]; 449608eccfe0
