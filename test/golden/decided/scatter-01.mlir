builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.tanh"(%v1) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v3 = "dnn.add"(%v2, %v2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v4 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.gemm"(%x1, %x0, %v3) : (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v7 = "dnn.slice"(%v4) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<1x4xf32>) -> tensor<1x2xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    func.return %v8 : tensor<2x4xf32>
  }
}
// optimal: 3 inplace=0; 4 inplace=0; 6 inplace=0; 7 inplace=2; 9 inplace=0; 2f893f1a0756
// paddle: 3 refused=[engine]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; fb94baa47f39
// nntrainer: 2 inplace_mode=none; 3 inplace=0 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; b1616e4dfe7a
// reinplace: 3 inplace=0; 4 refused=[repeated-operand]; 6 refused=[program-input]; 7 inplace=2; 9 refused=[program-input]; 66eb23cc181b
// transpiler: 3 inplace=0; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; b1616e4dfe7a
// pool, optimal: 2 reuse=0; 3 inplace=0 reuse=0; 4 inplace=0 reuse=0; 6 inplace=0; 7 inplace=2 reuse=0; 9 inplace=0; 2f893f1a0756
// pool, transpiler: 2 reuse=0; 3 reuse=1 refused=[next-op-reuses]; 4 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 7 reuse=1 refused=[not-listed]; 9 refused=[not-listed]; cc6b56568c49
// random, nntrainer: 2 inplace_mode=none; 3 inplace=0 inplace_mode=restricting; 4 inplace=1 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; a52254d171df
// random, transpiler: 3 inplace=0; 4 inplace=1; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; a52254d171df
