builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.slice"(%v4) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
    func.return %v5, %v2 : tensor<2x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 3 inplace=0; 5 inplace=0; ab22d1c9eb63
// paddle: 3 refused=[not-listed]; 5 refused=[not-listed]; a3446b46a9b4
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; a3446b46a9b4
// reinplace: 3 refused=[program-input]; 5 refused=[program-input]; d1583df5517a
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; a3446b46a9b4
// pool, optimal: 3 inplace=0; 5 inplace=0; ab22d1c9eb63
// pool, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; a3446b46a9b4
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; a3446b46a9b4
// random, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; a3446b46a9b4
