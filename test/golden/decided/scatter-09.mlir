builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32> {dnn.tied = 0 : i32}, tensor<2x2xf32>) {
    %v1 = "dnn.sub"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v3 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.slice_scatter"(%v4, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.copy"(%v4) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 4 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0; 13e6d6098e69
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f0a8bf63eaef
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; f0a8bf63eaef
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[used-later]; 7 refused=[program-input]; d6768a436770
// transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f0a8bf63eaef
// pool, optimal: 2 refused=[repeated-operand]; 4 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0; 13e6d6098e69
// pool, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f0a8bf63eaef
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; f0a8bf63eaef
// random, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f0a8bf63eaef
