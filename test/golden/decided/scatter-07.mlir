builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<1x2xf32>, tensor<4x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.pad"(%v2) {pads = array<i64: 0, 0, 2, 0>} : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %v6, %v7 = "dnn.multiout"(%v2) : (tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
    %v8 = "dnn.fill"(%v6) {value = 1.000000e+00 : f32} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    func.return %v8, %v1, %v6 : tensor<1x2xf32>, tensor<4x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 4 inplace=0; 5 inplace=0; 8 refused=[program-input]; b8bfbe2c9ca4
// paddle: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[not-listed]; 11fa8889a1b7
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 8 refused=[not-listed] inplace_mode=none; 11fa8889a1b7
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 8 refused=[program-input]; 1d77856d5919
// transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[not-listed]; 11fa8889a1b7
// pool, optimal: 4 inplace=0; 5 inplace=0; 8 refused=[program-input]; b8bfbe2c9ca4
// pool, transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[not-listed]; 11fa8889a1b7
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 8 refused=[not-listed] inplace_mode=none; 11fa8889a1b7
// random, transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[not-listed]; 11fa8889a1b7
