builtin.module {
  func.func @main(%x0: tensor<2xf32>, %x1: tensor<3x4xf32>, %c0: i1, %c1: index) -> (tensor<3x4xf32> {dnn.tied = 1 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[5.000000e-01, -2.500000e+00, 3.500000e+00, -1.500000e+00], [-5.000000e-01, -5.000000e-01, 1.500000e+00, 2.500000e+00], [5.000000e-01, 1.500000e+00, 1.500000e+00, -1.500000e+00]]> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
    %v1 = "dnn.relu"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %r7, %r8 = scf.if %c0 -> (tensor<2xf32>, tensor<3x4xf32>) {
      %r4 = scf.for %2 = %1 to %c1 step %0 iter_args(%r2 = %v0) -> (tensor<3x4xf32>) {
        %v3 = "dnn.as_strided_scatter"(%r2, %x0) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 5 : i64} : (tensor<3x4xf32>, tensor<2xf32>) -> tensor<3x4xf32>
        scf.yield %r2 : tensor<3x4xf32>
      }
      scf.yield %x0, %v0 : tensor<2xf32>, tensor<3x4xf32>
    } else {
      %v5 = "dnn.sub"(%x0, %x0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %v6 = "dnn.less"(%x1, %v1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
      scf.yield %v5, %x1 : tensor<2xf32>, tensor<3x4xf32>
    }
    %v9 = "dnn.tanh"(%r7) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %r8 : tensor<3x4xf32>
  }
}
// optimal: 5 refused=[constant]; 6 reuse=0,1; 7 inplace=3; 8 refused=[constant]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0; 4ea064aaa2c7
// paddle: 5 refused=[engine]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 refused=[engine]; ffa0bdb86470
// nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 reuse=0,-1 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 11 reuse=0 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 14 inplace=0 inplace_mode=restricting; 097360dca4ae
// reinplace: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[used-later]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0; 6ee0fa03c54a
// transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0; e3b981083c52
// pool, optimal: 5 refused=[constant]; 6 reuse=0,1; 7 inplace=3; 8 refused=[constant]; 11 reuse=0 refused=[program-input]; 12 refused=[kernel]; 14 inplace=0; 4ea064aaa2c7
// pool, transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0; e3b981083c52
// random, nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 reuse=0,-1 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 11 reuse=0 refused=[not-listed] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 14 inplace=0 inplace_mode=restricting; 097360dca4ae
// random, transpiler: 5 refused=[constant]; 6 reuse=0,-1; 7 refused=[constant]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]; 12 refused=[kernel]; 14 inplace=0; e3b981083c52
