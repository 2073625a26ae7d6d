builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.reduce_sum"(%v1) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v5 = "dnn.pad"(%v4) {pads = array<i64: 0, 0, 2, 0>} : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %v6 = "dnn.abs"(%v4) : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %v7 = "dnn.slice_scatter"(%x0, %v6) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v6 : tensor<2x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 inplace=0; 5 refused=[kernel]; 6 parts=0; 7 inplace=0; 8 refused=[program-input]; 4b56252aaff9
// paddle: 2 refused=[engine]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 refused=[engine]; 8 refused=[not-listed]; 1250526378d8
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 6d78a7047260
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[program-input]; cf3750c61e4a
// transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]; 72180f851dfb
// pool, optimal: 2 refused=[program-input]; 4 inplace=0; 5 refused=[kernel]; 6 parts=0; 7 inplace=0; 8 refused=[program-input]; 4b56252aaff9
// pool, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]; 72180f851dfb
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 6d78a7047260
// random, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]; 72180f851dfb
