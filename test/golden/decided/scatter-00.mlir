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
// optimal: 2 inplace=0; 4 inplace=0; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 refused=[used-later]; 9 inplace=0; 51c6d32bffc5
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 74fa2f22f68b
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; c6be53b54945
// reinplace: 2 refused=[program-input]; 4 refused=[repeated-operand]; 5 refused=[used-later]; 6 refused=[used-later]; 7 refused=[used-later]; 8 inplace=0; 9 refused=[returned]; 583c3de918f6
// transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 002895200e71
// pool, optimal: 2 refused=[next-op-reuses]; 4 inplace=0; 5 reuse=0 refused=[taken]; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 inplace=0; 80a0b670fa6b
// pool, transpiler: 2 refused=[next-op-reuses]; 4 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; bd38e46e6496
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; c234e979ddb9
// random, transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[not-listed]; d3584a5fad53
