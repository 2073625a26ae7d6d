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
// optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]; 412a0a4704b4
// paddle: 3 inplace=0,-1 refused=[returned]; d324252b1333
// nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none; d324252b1333
// reinplace: 3 inplace=0,-1 refused=[returned]; d324252b1333
// transpiler: 3 inplace=0,-1 refused=[returned]; d324252b1333
// pool, optimal: 2 reuse=1; 3 reuse=1,0 succ_reuse=[0,1] refused=[next-op-reuses returned]; 412a0a4704b4
// pool, transpiler: 3 inplace=0,-1 refused=[returned]; d324252b1333
// random, nntrainer: 2 inplace_mode=none; 3 inplace=0,-1 refused=[returned] inplace_mode=none; 6 inplace_mode=none; d324252b1333
// random, transpiler: 3 inplace=0,-1 refused=[returned]; d324252b1333
