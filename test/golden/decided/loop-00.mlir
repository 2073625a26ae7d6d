builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> tensor<4x4xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v7, %v8 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1, %v3 = %v1) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %v4 = "dnn.concat"(%x0, %x0, %v1) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<12x4xf32>
      %v5 = "dnn.slice"(%v4) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<12x4xf32>) -> tensor<2x4xf32>
      %v6 = "dnn.abs"(%v5) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v2, %v2 : tensor<4x4xf32>, tensor<4x4xf32>
    }
    %v9 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v9 : tensor<4x4xf32>
  }
}
// optimal: 5 inplace=3,4; 8 inplace=0; 10 refused=[program-input]; df7d38953b12
// paddle: 5 refused=[program-input program-input]; 8 refused=[engine]; 10 refused=[engine]; 7a221cc3195b
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 37496b31723b
// reinplace: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[program-input]; 5bf746b9bb4f
// transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]; bb3e0ff78314
// pool, optimal: 5 inplace=3,4; 8 inplace=0; 10 refused=[program-input]; df7d38953b12
// pool, transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]; bb3e0ff78314
// random, nntrainer: 2 inplace_mode=none; 5 refused=[program-input program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 37496b31723b
// random, transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]; bb3e0ff78314
