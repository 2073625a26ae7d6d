builtin.module {
  func.func @main(%x0: tensor<3x4xf64>, %x1: tensor<4xf64>) -> tensor<2x1x3xf32> {
    %v0 = "dnn.constant"() {value = dense<3.500000e+00> : tensor<f64>} : () -> tensor<f64>
    %v1, %v2 = "dnn.multiout"(%v0) : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %v3 = "dnn.cast"(%v2) : (tensor<f64>) -> tensor<f64>
    %v4 = "dnn.concat"(%x0) {axis = 0 : i64} : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v5 = "dnn.constant"() {value = dense<-2.500000e+00> : tensor<1xf64>} : () -> tensor<1xf64>
    %v6 = "dnn.as_strided_scatter"(%v4, %v5) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x4xf64>, tensor<1xf64>) -> tensor<3x4xf64>
    %v7 = "dnn.select_scatter"(%v6, %x1) {dim = 0 : i64, index = 0 : i64} : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
    %v8 = "dnn.sqrt"(%x0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v9 = "dnn.constant"() {value = dense<[[[1.500000e+00, 2.500000e+00, -2.500000e+00]], [[5.000000e-01, 3.500000e+00, 2.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    func.return %v9 : tensor<2x1x3xf32>
  }
}
// optimal: 4 refused=[constant]; 7 inplace=0; 8 inplace=0; 9 refused=[program-input]; 269c874f12be
// paddle: 4 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[engine]; 338052349b4c
// nntrainer: 3 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 750752380811
// reinplace: 4 refused=[constant]; 7 inplace=0; 8 inplace=0; 9 refused=[program-input]; bb1da054acbc
// transpiler: 4 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[program-input]; cb4f8a15ba86
// pool, optimal: 4 refused=[constant]; 5 reuse=0; 7 reuse=0 refused=[next-op-reuses]; 8 inplace=0 reuse=0; 9 reuse=0 refused=[program-input]; 83a017ecbddd
// pool, transpiler: 4 refused=[not-listed]; 5 reuse=0; 7 reuse=1 refused=[not-listed]; 8 reuse=0 refused=[not-listed]; 9 reuse=1 refused=[program-input]; cb4f8a15ba86
// random, nntrainer: 3 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; a3071b256662
// random, transpiler: 4 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[program-input]; 0c77e1051498
