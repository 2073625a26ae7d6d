builtin.module {
  func.func @main(%x0: tensor<2x1x3xf32>, %x1: tensor<2x1x3xf32>, %x2: tensor<1xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<2x1x3xf32> {dnn.tied = 1 : i32}) {
    %v0 = "dnn.relu_grad"(%x0, %x1) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v1 = "dnn.less"(%v0, %v0) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xi1>
    %v2 = "dnn.as_strided_scatter"(%v0, %x2) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<2x1x3xf32>, tensor<1xf32>) -> tensor<2x1x3xf32>
    %v3 = "dnn.fill"(%x2) {value = 3.000000e+00 : f32} : (tensor<1xf32>) -> tensor<1xf32>
    %v4 = "dnn.sigmoid"(%v2) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.as_strided"(%v2) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<3xf32>
    %v6 = "dnn.tanh"(%v5) : (tensor<3xf32>) -> tensor<3xf32>
    %v7 = "dnn.concat"(%v5) {axis = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
    func.return %v7, %v3, %x0 : tensor<3xf32>, tensor<1xf32>, tensor<2x1x3xf32>
  }
}
// optimal: 2 inplace=1; 3 refused=[kernel]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]; 5991d439b323
// paddle: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 copy=; 8 refused=[engine]; 287b04cda544
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 copy= inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 9f16281eb3b5
// reinplace: 2 refused=[program-input]; 3 refused=[kernel]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]; 8e9a42e3d09e
// transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]; d5efa2a63a0a
// pool, optimal: 2 inplace=1 reuse=0; 3 refused=[kernel]; 4 refused=[next-op-reuses]; 5 refused=[program-input]; 6 reuse=0 refused=[used-later]; 7 copy=; 8 refused=[used-later]; cb7035bf5a00
// pool, transpiler: 2 reuse=0 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 reuse=0 refused=[used-later]; 7 copy=; 8 refused=[used-later]; d5efa2a63a0a
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 copy= inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none; 9f16281eb3b5
// random, transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]; d5efa2a63a0a
