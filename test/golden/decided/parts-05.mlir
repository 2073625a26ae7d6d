builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32> {dnn.donated}, %x1: tensor<3x1xf32> {dnn.donated}, %x2: tensor<2x3x1xf32>, %x3: tensor<2x3x1xi1>) -> (tensor<4x3x1xi1>, tensor<2x3x1xi1> {dnn.tied = 3 : i32}, tensor<2x3x2xf32>) {
    %v0 = "dnn.diagonal_scatter"(%x0, %x1) {offset = 1 : i64, dim1 = 2 : i64, dim2 = 0 : i64} : (tensor<2x3x2xf32>, tensor<3x1xf32>) -> tensor<2x3x2xf32>
    %v1 = "dnn.zeros"(%v0) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.neg"(%v1) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v3 = "dnn.slice"(%v0) {dim = 2 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
    %v4 = "dnn.neg"(%v3) : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %v5 = "dnn.slice_scatter"(%v0, %x2) {dim = 2 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3x2xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
    %v6 = "dnn.masked_fill"(%x2, %x3) {value = 7.000000e+00 : f32} : (tensor<2x3x1xf32>, tensor<2x3x1xi1>) -> tensor<2x3x1xf32>
    %v7 = "dnn.concat"(%x3, %x3) {axis = 0 : i64} : (tensor<2x3x1xi1>, tensor<2x3x1xi1>) -> tensor<4x3x1xi1>
    func.return %v7, %x3, %v5 : tensor<4x3x1xi1>, tensor<2x3x1xi1>, tensor<2x3x2xf32>
  }
}
// optimal: 2 inplace=0; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]; 2bf80f69e682
// paddle: 2 refused=[not-listed]; 3 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; b2d6fc7985c1
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; b2d6fc7985c1
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]; f8d9e4e4d7b9
// transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; b2d6fc7985c1
// pool, optimal: 2 refused=[next-op-reuses]; 3 reuse=0 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]; ed7cd1add665
// pool, transpiler: 2 refused=[not-listed]; 3 reuse=0 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; b2d6fc7985c1
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace=0 inplace_mode=none; 5 inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 217f0e306be0
// random, transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 4 inplace=0; 6 inplace=0; 7 refused=[not-listed]; 8 refused=[not-listed]; 217f0e306be0
