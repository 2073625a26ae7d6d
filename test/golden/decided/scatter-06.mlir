builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<1x2xf32> {
    %v1 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.add"(%x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.reduce_sum"(%v2) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    func.return %v5 : tensor<1x2xf32>
  }
}
// optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[kernel]; 55f9ac0e63d5
// paddle: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[engine]; 6 refused=[kernel]; 79761f98689c
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 499b2ef9935b
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[kernel]; 9a8221ba52db
// transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]; 499b2ef9935b
// pool, optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[kernel]; 55f9ac0e63d5
// pool, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]; 499b2ef9935b
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 499b2ef9935b
// random, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]; 499b2ef9935b
