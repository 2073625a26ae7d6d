builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32>, tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.copy"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v6, %v7 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      scf.condition(%c) %v3, %v2 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      scf.yield %v4, %v4 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v8 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    func.return %v8, %v1, %v6 : tensor<2x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]; 2574a0ffb7e0
// paddle: 3 inplace=0,-1 refused=[returned]; 2b636a4a547e
// nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none; 2b636a4a547e
// reinplace: 3 inplace=0,-1 refused=[returned]; 2b636a4a547e
// transpiler: 3 inplace=0,-1 refused=[returned]; 2b636a4a547e
// pool, optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]; 2574a0ffb7e0
// pool, transpiler: 3 inplace=0,-1 refused=[returned]; 2b636a4a547e
// random, nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none; 2b636a4a547e
// random, transpiler: 3 inplace=0,-1 refused=[returned]; 2b636a4a547e
