builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.mul"(%x0, %x0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v5, %v6 = scf.if %c -> (tensor<2x4xf32>, tensor<2x4xf32>) {
      %v2 = "dnn.reduce_sum"(%v1) {axes = array<i64: 0>, keepdims = true} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      scf.yield %v1, %x0 : tensor<2x4xf32>, tensor<2x4xf32>
    } else {
      %v3 = "dnn.concat"(%x0, %v1, %v1) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
      %v4 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v4, %v4 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    func.return %v6 : tensor<2x4xf32>
  }
}
// optimal: 2 reuse=0 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 1f5eb901faec
// paddle: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 921153f6aebe
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0,-1 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 reuse=0 refused=[kernel] inplace_mode=none; 921153f6aebe
// reinplace: 2 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; c3d5f1d9f9c6
// transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 921153f6aebe
// pool, optimal: 2 reuse=0 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 1f5eb901faec
// pool, transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 921153f6aebe
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0,-1 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 reuse=0 refused=[kernel] inplace_mode=none; 921153f6aebe
// random, transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]; 921153f6aebe
