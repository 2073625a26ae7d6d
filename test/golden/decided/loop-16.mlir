builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %v1 = "dnn.neg"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x4xf32>) {
      %v3 = "dnn.fill"(%v1) {value = 1.000000e+00 : f32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v3 : tensor<4x4xf32>
    }
    %v5 = "dnn.tanh"(%v4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v6 = "dnn.sub"(%v5, %v4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v6, %v5 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=3; 6 reuse=0 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]; 443214a93028
// paddle: 2 refused=[not-listed]; 5 inplace=3; 6 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]; d95ca86c2175
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 inplace=3 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; cb4f4d68640a
// reinplace: 2 refused=[program-input]; 5 inplace=3; 6 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]; 693dc61c12c3
// transpiler: 2 refused=[not-listed]; 5 inplace=3; 6 refused=[not-listed]; 8 refused=[used-later]; 9 refused=[not-listed]; 6c57c32a8806
// pool, optimal: 2 refused=[used-later]; 5 inplace=3; 6 reuse=0 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]; 443214a93028
// pool, transpiler: 2 refused=[not-listed]; 5 inplace=3; 6 refused=[not-listed]; 8 refused=[used-later]; 9 refused=[not-listed]; 6c57c32a8806
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 inplace=3 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; cb4f4d68640a
// random, transpiler: 2 refused=[not-listed]; 5 inplace=3; 6 refused=[not-listed]; 8 refused=[used-later]; 9 refused=[not-listed]; 6c57c32a8806
