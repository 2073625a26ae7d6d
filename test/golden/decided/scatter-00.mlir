builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}, tensor<2x4xf32>, tensor<2x4xf32>) {
    %v1 = "dnn.exp"(%x0) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.slice"(%v1) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %v3 = "dnn.copy_into"(%v2, %v2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.relu"(%v2) {dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v7 = "dnn.add"(%v4, %v1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v8 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    func.return %v8, %v2, %v3 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
// optimal: 2 inplace=0; 4 inplace=0; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 refused=[used-later]; 9 inplace=0; a8e716485050
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[engine]; 7 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]; 707645254c08
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; c5b3e9d6e74b
// reinplace: 2 refused=[program-input]; 4 refused=[repeated-operand]; 5 refused=[used-later]; 6 refused=[used-later]; 7 refused=[used-later]; 8 inplace=0; 9 refused=[returned]; 98e7ec0bd5eb
// transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; b48f2c02ae6d
// pool, optimal: 2 refused=[next-op-reuses]; 4 inplace=0; 5 reuse=0 refused=[taken]; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 inplace=0; 0f6945cbf7e5
// pool, transpiler: 2 refused=[next-op-reuses]; 4 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 11619b0bc86a
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 2d753f5a994e
// random, transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[not-listed]; 9e4d7c478dd9
