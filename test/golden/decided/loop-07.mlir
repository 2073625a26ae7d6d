builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %x1: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.neg"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v5 = scf.while (%v2 = %v1) : (tensor<4x2xf32>) -> tensor<4x2xf32> {
      scf.condition(%c) %v2 : tensor<4x2xf32>
    } do {
    ^bb0(%v3: tensor<4x2xf32>):
      %v4 = "dnn.gemm"(%v1, %x1, %x0) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v4 : tensor<4x2xf32>
    }
    %v6 = "dnn.mul"(%v1, %v5) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v6 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[control-flow]; 5 reuse=0 refused=[control-flow]; 7 inplace=0; ba99690e68e7
// paddle: 2 refused=[not-listed]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]; e06b0a4ea1a4
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[control-flow] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; e06b0a4ea1a4
// reinplace: 2 refused=[program-input]; 3 refused=[control-flow]; 5 refused=[program-input]; 7 inplace=0; 1586836e034e
// transpiler: 2 refused=[not-listed]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]; e06b0a4ea1a4
// pool, optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[control-flow]; 5 reuse=0 refused=[control-flow]; 7 inplace=0; ba99690e68e7
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]; e06b0a4ea1a4
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[control-flow] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace=1 inplace_mode=none; f96f800579d5
// random, transpiler: 2 refused=[not-listed]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 inplace=1; f96f800579d5
