builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.exp"(%x0) {dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v3 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.add"(%v2, %v2) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %v6 = "dnn.slice_scatter"(%x0, %v5) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v7 = "dnn.copy"(%v3) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v7, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0; 72a31deae4b5
// paddle: 2 refused=[not-listed]; 4 refused=[engine]; 5 refused=[not-listed]; 6 refused=[engine]; 7 refused=[not-listed]; d659e1d973a9
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 1962f4d80fc9
// reinplace: 2 refused=[program-input]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[program-input]; 7 refused=[program-input]; 5d5b1b6a536e
// transpiler: 2 refused=[used-later]; 4 inplace=0; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 7bf675222838
// pool, optimal: 2 reuse=0 refused=[used-later]; 4 refused=[next-op-reuses]; 5 reuse=0 refused=[taken]; 6 inplace=0; 7 inplace=0; 8 reuse=1; 195dc8fdee03
// pool, transpiler: 2 reuse=0 refused=[used-later]; 4 refused=[next-op-reuses]; 5 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; a405a8778a97
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 1962f4d80fc9
// random, transpiler: 2 refused=[used-later]; 4 inplace=0; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 7bf675222838
