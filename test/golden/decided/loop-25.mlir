builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.tanh"(%x0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v2 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v7 = scf.for %i = %zero to %n step %one iter_args(%v3 = %v2) -> (tensor<2x4xf32>) {
      %v4 = "dnn.reduce_sum"(%v3) {axes = array<i64: 0>, keepdims = true} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      %v5 = "dnn.exp"(%v3) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %v6 = "dnn.tanh"(%v3) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v6 : tensor<2x4xf32>
    }
    %v8 = "dnn.concat"(%x0, %v1) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v9 = "dnn.slice"(%v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    func.return %v9 : tensor<2x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 11 parts=1; b48fbece82f9
// paddle: 2 refused=[engine]; 3 refused=[not-listed]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[engine]; 867d4bcea2ef
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none; d03a63216062
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 9ea5a3b7d10a
// transpiler: 2 refused=[program-input]; 3 refused=[not-listed]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 8df63b53a313
// pool, optimal: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 11 parts=1; b48fbece82f9
// pool, transpiler: 2 refused=[program-input]; 3 refused=[not-listed]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 8df63b53a313
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none; d03a63216062
// random, transpiler: 2 refused=[program-input]; 3 refused=[not-listed]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 8df63b53a313
