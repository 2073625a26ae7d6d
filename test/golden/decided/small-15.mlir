builtin.module {
  func.func @main(%x0: tensor<3x4xf32> {dnn.donated}, %x1: tensor<4x3xf32>, %c0: i1) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
    %v0 = "dnn.minimum"(%x0, %x0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %v1 = "dnn.abs"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %r8 = scf.if %c0 -> (tensor<3x4xf32>) {
      %r5 = scf.if %c0 -> (tensor<3x4xf32>) {
        %v2 = "dnn.multiout"(%v1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
        %v3 = "dnn.tanh"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
        scf.yield %v3 : tensor<3x4xf32>
      } else {
        %v4 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
        scf.yield %v1 : tensor<3x4xf32>
      }
      scf.yield %v1 : tensor<3x4xf32>
    } else {
      %v6 = "dnn.constant"() {value = dense<[[-2.500000e+00, -5.000000e-01, 5.000000e-01], [3.500000e+00, -1.500000e+00, -1.500000e+00], [3.500000e+00, -5.000000e-01, 3.500000e+00]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
      %v7 = "dnn.gemm"(%v1, %v6) {transA = 1 : i64, transB = 1 : i64, beta = 2.000000e+00 : f32} : (tensor<3x4xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
      scf.yield %v0 : tensor<3x4xf32>
    }
    func.return %v0, %v0 : tensor<3x4xf32>, tensor<3x4xf32>
  }
}
// optimal: 2 inplace=0; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]; 678a9bee4ba7
// paddle: 2 refused=[not-listed]; 3 refused=[engine]; 5 reuse=0; 7 reuse=0 refused=[engine]; 13 refused=[kernel]; d59358806df5
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[kernel] inplace_mode=none; 410b38325f93
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]; 9fe36b21cc6e
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]; 95a457f75289
// pool, optimal: 2 refused=[next-op-reuses]; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]; bd5c1188df68
// pool, transpiler: 2 refused=[not-listed]; 3 reuse=0 refused=[used-later]; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[kernel]; 95a457f75289
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[kernel] inplace_mode=none; 410b38325f93
// random, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[kernel]; 95a457f75289
