builtin.module {
  func.func @main(%x0: tensor<3x3xf32> {dnn.donated}, %x1: tensor<3x1x3xf32>, %x2: tensor<3xf32>, %x3: tensor<2xf32>) -> (tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
    %v0 = "dnn.scale"(%x0) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v1 = "dnn.reshape"(%v0) : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %v2 = "dnn.abs"(%v1) {dnn.engine = "cpu"} : (tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
    %v3 = "dnn.stack"(%v2, %x1) {axis = 0 : i64, dnn.engine = "cpu"} : (tensor<3x1x3xf32>, tensor<3x1x3xf32>) -> tensor<2x3x1x3xf32>
    %v4 = "dnn.sum"(%v0, %v0) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %v5 = "dnn.diagonal_scatter"(%v4, %x2) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %v6 = "dnn.as_strided_scatter"(%v5, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<3x3xf32>, tensor<2xf32>) -> tensor<3x3xf32>
    %v7 = "dnn.flatten"(%x1) {axis = 3 : i64} : (tensor<3x1x3xf32>) -> tensor<9x1xf32>
    %v8 = "dnn.slice"(%v5) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %v9 = "dnn.neg"(%v8) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %v10 = "dnn.neg"(%v9) {dnn.engine = "cpu"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
    func.return %v10, %v5, %v0 : tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
// optimal: 2 inplace=0; 4 refused=[used-later]; 5 parts=0; 6 refused=[repeated-operand]; 7 inplace=0; 8 refused=[used-later]; 11 refused=[returned]; 12 inplace=0; 60743cc99536
// paddle: 2 refused=[not-listed]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; f7e6f88106ab
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 7f486379f2ff
// reinplace: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[repeated-operand]; 7 inplace=0; 8 refused=[used-later]; 11 refused=[returned]; 12 inplace=0; 286a0f9d2697
// transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; b72e1e06a971
// pool, optimal: 2 refused=[next-op-reuses]; 4 refused=[used-later]; 5 parts=0; 6 reuse=0 refused=[repeated-operand]; 7 refused=[next-op-reuses]; 8 reuse=0 refused=[used-later]; 11 refused=[returned]; 12 inplace=0; 435969486743
// pool, transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 6 reuse=0 refused=[not-listed]; 7 refused=[not-listed]; 8 reuse=0 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; b72e1e06a971
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 7f486379f2ff
// random, transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; b72e1e06a971
