builtin.module {
  func.func @main(%x0: tensor<2x3x2xf64>, %x1: tensor<2x3xf64>, %x2: tensor<3x4xf32>, %x3: tensor<1x4xf32>, %c0: index) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.select_scatter"(%x0, %x1) {dim = 2 : i64, index = -1 : i64} : (tensor<2x3x2xf64>, tensor<2x3xf64>) -> tensor<2x3x2xf64>
    %2, %r10, %r11 = scf.while (%3 = %1, %r1 = %x0) : (index, tensor<2x3x2xf64>) -> (index, tensor<3xf32>, tensor<3x4xf32>) {
      %v2 = "dnn.as_strided"(%x2) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
      %v3, %v4, %v5 = "dnn.multiout"(%v2) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v3, %x2 : index, tensor<3xf32>, tensor<3x4xf32>
    } do {
    ^bb0(%5: index, %r6: tensor<3xf32>, %r7: tensor<3x4xf32>):
      %r8 = func.call @f0(%x3) : (tensor<1x4xf32>) -> tensor<1x4xf32>
      %v9 = "dnn.log_softmax"(%x3) {axis = -2 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<2x3x2xf64>
    }
    func.return %r11, %x3 : tensor<3x4xf32>, tensor<1x4xf32>
  }
  func.func @f0(%x0: tensor<1x4xf32> {dnn.donated}) -> tensor<1x4xf32> {
    %v0 = "dnn.less"(%x0, %x0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
    func.return %x0 : tensor<1x4xf32>
  }
}
// optimal: 4 refused=[program-input]; 5 reuse=-1,-1,0; 11 refused=[program-input]; 16 refused=[kernel]; c045a7858b9c
// paddle: 4 refused=[not-listed]; 11 refused=[not-listed]; 16 refused=[kernel]; 2e5722c36306
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 16 refused=[kernel] inplace_mode=none; 2e5722c36306
// reinplace: 4 refused=[program-input]; 11 refused=[program-input]; 16 refused=[kernel]; d00e34ff4bc4
// transpiler: 4 refused=[not-listed]; 11 refused=[not-listed]; 16 refused=[kernel]; 2e5722c36306
// pool, optimal: 4 refused=[program-input]; 5 reuse=-1,-1,0; 11 refused=[program-input]; 16 refused=[kernel]; c045a7858b9c
// pool, transpiler: 4 refused=[not-listed]; 11 refused=[not-listed]; 16 refused=[kernel]; 2e5722c36306
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 16 refused=[kernel] inplace_mode=none; 2e5722c36306
// random, transpiler: 4 refused=[not-listed]; 11 refused=[not-listed]; 16 refused=[kernel]; 2e5722c36306
