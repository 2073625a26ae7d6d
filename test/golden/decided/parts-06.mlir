builtin.module {
  func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<1xf32> {dnn.donated}, %x2: tensor<i64>, %x3: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) {
    %v0 = "dnn.as_strided_scatter"(%x0, %x1) {size = array<i64: 1>, stride = array<i64: 3>, storage_offset = 4 : i64} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %v1 = "dnn.constant"() {value = dense<[[-1.500000e+00, 2.500000e+00, -1.500000e+00]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
    %v2 = "dnn.slice_scatter"(%v0, %v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v3 = "dnn.identity"(%v2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v4 = "dnn.add"(%v0, %v1) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v5 = "dnn.concat"(%v0, %v0, %v4) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
    %v6 = "dnn.reshape"(%v2) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %v7 = "dnn.flatten"(%x2) {axis = 0 : i64} : (tensor<i64>) -> tensor<1x1xi64>
    %v8 = "dnn.cumsum"(%v1) {axis = -1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %v9 = "dnn.fill"(%v6) {value = 3.000000e+00 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %v10 = "dnn.as_strided_scatter"(%v9, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    %v11 = "dnn.identity"(%x3) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %v11, %v11, %v2 : tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 7 parts=0,2; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0; 0c80946c4448
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[engine]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; 43bdc5e17a8c
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=restricting; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=non_restricting; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=restricting; aecd170b2fbc
// reinplace: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0; 8a3717afe2cf
// transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; aecd170b2fbc
// pool, optimal: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 7 parts=0,2; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0; 0c80946c4448
// pool, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]; aecd170b2fbc
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=restricting; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=non_restricting; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=0 inplace_mode=none; 13 inplace_mode=restricting; 6f2fd53aa0e7
// random, transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 inplace=0; 6f2fd53aa0e7
