builtin.module {
  func.func @main(%c0: index, %c1: i1) -> (tensor<4xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[3.500000e+00, -5.000000e-01, 2.500000e+00, 5.000000e-01]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v1 = "dnn.stack"(%v0) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1x4xf32>
    %2, %r9 = scf.while (%3 = %1, %r2 = %v1) : (index, tensor<1x4xf32>) -> (index, tensor<4xf32>) {
      %v3 = "dnn.copy_into"(%v0, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v3 : index, tensor<4xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<4xf32>):
      %r6, %r7 = scf.if %c1 -> (tensor<4xf32>, tensor<1x4xf32>) {
        scf.yield %r4, %v1 : tensor<4xf32>, tensor<1x4xf32>
      } else {
        %v5 = "dnn.select"(%r4) {dim = 0 : i64, index = 2 : i64, dnn.engine = "cpu"} : (tensor<4xf32>) -> tensor<f32>
        scf.yield %r4, %v1 : tensor<4xf32>, tensor<1x4xf32>
      }
      %v8 = "dnn.less_or_equal"(%r7, %r7) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r7 : index, tensor<1x4xf32>
    }
    func.return %r9, %v1 : tensor<4xf32>, tensor<1x4xf32>
  }
}
// optimal: 5 reuse=1; 6 reuse=-1,0 succ_reuse=[-1,1]; 7 inplace=0; 10 reuse=0,1; 14 refused=[kernel]; 8d5e3977267a
// paddle: 7 refused=[not-listed]; 14 refused=[kernel]; cfe6cfd116f2
// nntrainer: 5 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 inplace_mode=none; 14 refused=[kernel] inplace_mode=none; cfe6cfd116f2
// reinplace: 7 refused=[constant]; 14 refused=[kernel]; bf537967e763
// transpiler: 7 refused=[not-listed]; 14 refused=[kernel]; cfe6cfd116f2
// pool, optimal: 5 reuse=1; 6 reuse=-1,0 succ_reuse=[-1,1]; 7 inplace=0; 10 reuse=0,1; 14 refused=[kernel]; 8d5e3977267a
// pool, transpiler: 7 refused=[not-listed]; 14 refused=[kernel]; cfe6cfd116f2
// random, nntrainer: 5 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 inplace_mode=none; 14 refused=[kernel] inplace_mode=none; cfe6cfd116f2
// random, transpiler: 7 refused=[not-listed]; 14 refused=[kernel]; cfe6cfd116f2
