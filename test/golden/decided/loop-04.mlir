builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v7, %v8 = scf.while (%v2 = %x0, %v3 = %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      scf.condition(%c) %v3, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      %v6 = "dnn.abs"(%v4) : (tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v5, %v6 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v9 = "dnn.add"(%v8, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v9 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[kernel]; 3 reuse=0,1 succ_reuse=[1,0] refused=[program-input program-input]; 5 inplace=0; 7 inplace=0; f5cc56978598
// paddle: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 refused=[engine]; 7 refused=[engine]; e496980bcd35
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 refused=[program-input program-input] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; f94ce214a3d4
// reinplace: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 inplace=0; 7ed3ff7a670c
// transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]; 2cc31e06eb5b
// pool, optimal: 2 refused=[kernel]; 3 reuse=0,1 succ_reuse=[1,0] refused=[program-input program-input]; 5 inplace=0; 7 inplace=0; f5cc56978598
// pool, transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]; 2cc31e06eb5b
// random, nntrainer: 2 refused=[kernel] inplace_mode=none; 3 refused=[program-input program-input] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; f94ce214a3d4
// random, transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]; 2cc31e06eb5b
