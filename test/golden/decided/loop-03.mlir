builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.copy"(%x0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v8, %v9 = scf.while (%v2 = %v1, %v3 = %v1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %v6 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v3, %v2 : tensor<2x2xf32>, tensor<2x2xf32>
    } do {
    ^bb0(%v4: tensor<2x2xf32>, %v5: tensor<2x2xf32>):
      %v7 = "dnn.reduce_sum"(%v5) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      scf.yield %v4, %v5 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    %v10 = "dnn.pad"(%v1) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %v11 = "dnn.add"(%v10, %v10) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v11 : tensor<4x2xf32>
  }
}
// optimal: 3 reuse=0,1 succ_reuse=[0,1] refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 8 parts=0; 9 inplace=0; 33c4dd0a2946
// paddle: 3 refused=[used-later used-later]; 4 refused=[engine]; 6 refused=[kernel]; 9 refused=[engine]; 6ed84d1c0108
// nntrainer: 2 inplace_mode=none; 3 refused=[used-later used-later] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 8eef506e374a
// reinplace: 3 refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 9 refused=[repeated-operand]; ecfe4363aae0
// transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 refused=[not-listed]; 8eef506e374a
// pool, optimal: 3 reuse=0,1 succ_reuse=[0,1] refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 8 parts=0; 9 inplace=0; 33c4dd0a2946
// pool, transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 refused=[not-listed]; 8eef506e374a
// random, nntrainer: 2 inplace_mode=none; 3 refused=[used-later used-later] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 inplace=1 inplace_mode=none; d04932b8d603
// random, transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 inplace=1; d04932b8d603
