builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<1x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.add"(%v1, %v1) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %v5 = "dnn.neg"(%v3) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.slice_scatter"(%v2, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    func.return %v6, %v4, %v5 : tensor<2x2xf32>, tensor<1x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]; dd85c541ddeb
// paddle: 3 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 3a162efb933d
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 0cf206c9b0e9
// reinplace: 3 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0; 7 inplace=0; 1916ac8d9c30
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 0cf206c9b0e9
// pool, optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]; dd85c541ddeb
// pool, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 0cf206c9b0e9
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; b661d2705661
// random, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[not-listed]; b661d2705661
