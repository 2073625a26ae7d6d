builtin.module {
  func.func @main(%x0: tensor<3x4xf32> {dnn.donated}, %x1: tensor<4xf32>, %x2: tensor<4x1xf32> {dnn.donated}, %c0: i1) -> (tensor<1x3xf32>, tensor<4x1xf32>) {
    %v0 = "dnn.constant"() {value = dense<[5.000000e-01, 1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v1 = "dnn.constant"() {value = dense<[1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v2 = "dnn.batch_norm"(%x0, %x1, %x1, %v0, %v1) : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    cf.cond_br %c0, ^bb1(%v2 : tensor<3x4xf32>), ^bb2
  ^bb1(%r3: tensor<3x4xf32>):
    %v4 = "dnn.relu_grad"(%v0, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    cf.br ^bb3(%x1, %v0 : tensor<4xf32>, tensor<4xf32>)
  ^bb2:
    %v5 = "dnn.constant"() {value = dense<3.500000e+00> : tensor<f32>} : () -> tensor<f32>
    %v6 = "dnn.select_scatter"(%v1, %v5) {dim = 0 : i64, index = -2 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    cf.br ^bb3(%v0, %v1 : tensor<4xf32>, tensor<4xf32>)
  ^bb3(%r7: tensor<4xf32>, %r8: tensor<4xf32>):
    %v9 = "dnn.constant"() {value = dense<[[5.000000e-01, 2.500000e+00, -2.500000e+00]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
    %v10 = "dnn.gemm"(%x2, %x0, %v9) {transA = 1 : i64, transB = 1 : i64, alpha = 5.000000e-01 : f32} : (tensor<4x1xf32>, tensor<3x4xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    func.return %v9, %x2 : tensor<1x3xf32>, tensor<4x1xf32>
  }
}
// optimal: 4 reuse=0 refused=[control-flow]; 5 succ_reuse=[0 ]; 6 refused=[constant]; 9 refused=[constant]; 12 refused=[constant]; 8793270be5c8
// paddle: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; f2fbbb83f729
// nntrainer: 4 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 4df4956e14e4
// reinplace: 4 refused=[program-input]; 6 refused=[constant]; 9 refused=[constant]; 12 refused=[constant]; 64d6e9070ee8
// transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; f2fbbb83f729
// pool, optimal: 4 reuse=0 refused=[control-flow]; 5 succ_reuse=[0 ]; 6 refused=[constant]; 9 refused=[constant]; 12 refused=[constant]; 8793270be5c8
// pool, transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; f2fbbb83f729
// random, nntrainer: 4 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 4df4956e14e4
// random, transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; f2fbbb83f729
