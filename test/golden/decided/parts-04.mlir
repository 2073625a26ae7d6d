builtin.module {
  func.func @main(%x0: tensor<4xf64> {dnn.donated}) -> (tensor<4xf64>, tensor<1xf64>, tensor<1xf64>) {
    %v0 = "dnn.constant"() {value = dense<[[2.500000e+00, 2.500000e+00, -5.000000e-01, -2.500000e+00]]> : tensor<1x4xf64>} : () -> tensor<1x4xf64>
    %v1 = "dnn.constant"() {value = dense<1.500000e+00> : tensor<1xf64>} : () -> tensor<1xf64>
    %v2 = "dnn.diagonal_scatter"(%v0, %v1) {offset = 3 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<1x4xf64>, tensor<1xf64>) -> tensor<1x4xf64>
    %v3 = "dnn.constant"() {value = dense<[[-2.500000e+00, 3.500000e+00, 1.500000e+00, 3.500000e+00], [-2.500000e+00, -5.000000e-01, -5.000000e-01, 1.500000e+00], [2.500000e+00, 2.500000e+00, 3.500000e+00, -5.000000e-01]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v4 = "dnn.as_strided"(%v3) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x4xf64>) -> tensor<1xf64>
    %v5 = "dnn.relu"(%v4) : (tensor<1xf64>) -> tensor<1xf64>
    %v6 = "dnn.slice_scatter"(%v5, %v5) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %v7 = "dnn.clip"(%v5) {min = -9.000000e+00 : f32, max = 9.000000e+00 : f32} : (tensor<1xf64>) -> tensor<1xf64>
    %v8 = "dnn.cast"(%v7) : (tensor<1xf64>) -> tensor<1xi64>
    %v9 = "dnn.stack"(%v2) {axis = 2 : i64} : (tensor<1x4xf64>) -> tensor<1x4x1xf64>
    %v10 = "dnn.div"(%x0, %v6) : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
    %v11 = "dnn.slice_scatter"(%x0, %v7) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
    %v12 = "dnn.log_softmax"(%v10) {axis = -1 : i64} : (tensor<4xf64>) -> tensor<4xf64>
    func.return %v12, %v1, %v7 : tensor<4xf64>, tensor<1xf64>, tensor<1xf64>
  }
}
// optimal: 4 refused=[constant]; 7 refused=[constant]; 8 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 11 parts=0; 12 refused=[used-later]; 13 inplace=0; 14 inplace=0; 2ab88b1f2bc6
// paddle: 4 refused=[not-listed]; 7 refused=[engine]; 8 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[not-listed]; 8e9680f889a6
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 2ce6bac9f073
// reinplace: 4 refused=[constant]; 7 refused=[constant]; 8 refused=[repeated-operand]; 9 inplace=0; 10 refused=[kernel]; 12 refused=[program-input]; 13 refused=[program-input]; 14 refused=[not-listed]; 610bfbd28641
// transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[not-listed]; 2ce6bac9f073
// pool, optimal: 4 refused=[constant]; 7 refused=[constant]; 8 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 11 parts=0; 12 refused=[used-later]; 13 inplace=0; 14 inplace=0; 2ab88b1f2bc6
// pool, transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[not-listed]; 2ce6bac9f073
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 inplace=0 inplace_mode=none; e248920766a3
// random, transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 inplace=0; e248920766a3
