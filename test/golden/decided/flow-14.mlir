builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32>, %c0: i1) -> (tensor<2x3xf32>, tensor<2xf32>) {
    %v0 = "dnn.reduce_sum"(%x0) {axes = array<i64: 2>, keepdims = false} : (tensor<2x3x2xf32>) -> tensor<2x3xf32>
    %v1 = "dnn.constant"() {value = dense<[2.500000e+00, 1.500000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    %v2 = "dnn.diagonal_scatter"(%v0, %v1) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    %r8, %r9 = scf.if %c0 -> (tensor<2x3xf32>, tensor<2x3x2xf32>) {
      %v3 = "dnn.relu"(%x0) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
      %v4 = "dnn.constant"() {value = dense<[2.500000e+00, 2.500000e+00, -2.500000e+00, 3.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
      scf.yield %v2, %x0 : tensor<2x3xf32>, tensor<2x3x2xf32>
    } else {
      %v5, %v6, %v7 = "dnn.multiout"(%v0) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
      scf.yield %v5, %x0 : tensor<2x3xf32>, tensor<2x3x2xf32>
    }
    func.return %v0, %v1 : tensor<2x3xf32>, tensor<2xf32>
  }
}
// optimal: 2 refused=[size]; 4 reuse=1 refused=[used-later]; 5 reuse=1,0; 6 refused=[program-input]; cfe517ef6526
// paddle: 2 refused=[size]; 4 refused=[not-listed]; 6 refused=[kernel]; 4a8a495a2f88
// nntrainer: 2 refused=[size] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=restricting; 9280310649f2
// reinplace: 2 refused=[size]; 4 refused=[used-later]; 6 refused=[program-input]; 148bd40770fa
// transpiler: 2 refused=[size]; 4 refused=[not-listed]; 6 refused=[program-input]; 0f492e788102
// pool, optimal: 2 refused=[size]; 4 reuse=1 refused=[used-later]; 5 reuse=1,0; 6 refused=[program-input]; cfe517ef6526
// pool, nntrainer: 2 refused=[size] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=restricting; 9280310649f2
// pool, transpiler: 2 refused=[size]; 4 refused=[not-listed]; 6 refused=[program-input]; 0f492e788102
// random, optimal: 2 refused=[size]; 4 reuse=1 refused=[used-later]; 5 reuse=1,0; 6 refused=[program-input]; cfe517ef6526
// random, nntrainer: 2 refused=[size] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=restricting; 9280310649f2
// random, transpiler: 2 refused=[size]; 4 refused=[not-listed]; 6 refused=[program-input]; 0f492e788102
