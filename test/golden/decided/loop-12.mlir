builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %x1: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<4x4xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.sub"(%x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %v9, %v10 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      %v6 = "dnn.pad"(%v3) {pads = array<i64: 0, 0, 2, 0>} : (tensor<4x2xf32>) -> tensor<6x2xf32>
      scf.condition(%c) %v2, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      %v7 = "dnn.slice"(%v5) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %v8 = "dnn.gemm"(%v1, %x1, %v5) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v8, %v4 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v11 = "dnn.concat"(%v1, %v1) {axis = 1 : i64} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
    func.return %v11, %v10 : tensor<4x4xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 3 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[control-flow]; 7 inplace=2; e9d0441c8f7a
// paddle: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]; 9201087e1495
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace=0,-1 refused=[control-flow] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 9201087e1495
// reinplace: 2 refused=[program-input]; 3 inplace=0,-1 refused=[control-flow]; 7 inplace=2; 81cbbbf7d888
// transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]; 9201087e1495
// pool, optimal: 2 refused=[repeated-operand]; 3 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[control-flow]; 7 inplace=2; e9d0441c8f7a
// pool, transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]; 9201087e1495
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace=0,-1 refused=[control-flow] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 9201087e1495
// random, transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]; 9201087e1495
