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
// optimal: 2 inplace=0; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[size]; fe2536381301
// paddle: 2 refused=[not-listed]; 3 refused=[kernel]; 5 reuse=0; 7 reuse=0 refused=[kernel]; 13 refused=[size]; f216b3d2fd4a
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[size] inplace_mode=none; c7f08debe2ed
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[size]; 8d79bb46d341
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[size]; 15543ab0e899
// pool, optimal: 2 refused=[next-op-reuses]; 3 reuse=0 refused=[used-later]; 4 reuse=0; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[size]; 61aba6a63068
// pool, transpiler: 2 refused=[not-listed]; 3 reuse=0 refused=[used-later]; 5 reuse=1; 7 reuse=1 refused=[used-later]; 13 refused=[size]; 15543ab0e899
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 reuse=0 inplace_mode=none; 6 inplace_mode=restricting; 7 reuse=0 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 13 refused=[size] inplace_mode=none; c7f08debe2ed
// random, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 5 reuse=0; 7 reuse=0 refused=[used-later]; 13 refused=[size]; 15543ab0e899
