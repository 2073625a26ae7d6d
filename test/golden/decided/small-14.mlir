builtin.module {
  func.func @main(%x0: tensor<3xf32> {dnn.donated}, %c0: index) -> tensor<2x1x3xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[[2.500000e+00, 5.000000e-01, -2.500000e+00]], [[-2.500000e+00, 3.500000e+00, 1.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    %v1 = "dnn.tanh"(%v0) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v2 = "dnn.pad"(%v1) {pads = array<i64: 0, 0, 2, 2, 1, 0>, value = 1.500000e+00 : f32} : (tensor<2x1x3xf32>) -> tensor<4x2x5xf32>
    %2, %r8, %r9 = scf.while (%3 = %1, %r3 = %v2) : (index, tensor<4x2x5xf32>) -> (index, tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0, %v1 : index, tensor<2x1x3xf32>, tensor<2x1x3xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<2x1x3xf32>, %r5: tensor<2x1x3xf32>):
      %v6 = "dnn.as_strided_scatter"(%r4, %x0) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<2x1x3xf32>, tensor<3xf32>) -> tensor<2x1x3xf32>
      %v7 = "dnn.sqrt"(%r4) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v2 : index, tensor<4x2x5xf32>
    }
    func.return %r8 : tensor<2x1x3xf32>
  }
}
// optimal: 5 reuse=1 refused=[constant]; 6 reuse=0; 7 reuse=-1,-1,1 succ_reuse=[-1,0]; 10 refused=[used-later]; 11 inplace=0; 8a8f8aa70a63
// paddle: 5 refused=[engine]; 10 refused=[not-listed]; 11 refused=[engine]; 20bad3b42190
// nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 76f78f10f263
// reinplace: 5 refused=[constant]; 10 refused=[used-later]; 11 inplace=0; a2a7bf3ae8e7
// transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0; 163bac133754
// pool, optimal: 5 reuse=1 refused=[constant]; 6 reuse=0; 7 reuse=-1,-1,1 succ_reuse=[-1,0]; 10 refused=[used-later]; 11 inplace=0; 8a8f8aa70a63
// pool, transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0; 163bac133754
// random, nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 76f78f10f263
// random, transpiler: 5 refused=[constant]; 10 refused=[not-listed]; 11 inplace=0; 163bac133754
