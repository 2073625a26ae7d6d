builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %x1: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.sum"(%x0, %x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x2xf32>) {
      %v3 = "dnn.gemm"(%v1, %x1, %x0) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v3 : tensor<4x2xf32>
    }
    %v5 = "dnn.concat"(%x1, %x1) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.neg"(%v4) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v1 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 reuse=0 refused=[program-input]; 6 reuse=0 refused=[program-input]; 9 inplace=0; e262519f307c
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 refused=[not-listed]; 6be0d2721475
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 6be0d2721475
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 9 inplace=0; 0d57d8a4a97f
// transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 refused=[not-listed]; 6be0d2721475
// pool, optimal: 2 refused=[program-input]; 5 reuse=0 refused=[program-input]; 6 reuse=0 refused=[program-input]; 9 inplace=0; e262519f307c
// pool, transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 refused=[not-listed]; 6be0d2721475
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace=0 inplace_mode=none; b667da4e0c91
// random, transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 inplace=0; b667da4e0c91
