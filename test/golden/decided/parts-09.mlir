builtin.module {
  func.func @main(%x0: tensor<2x3xi64> {dnn.donated}, %x1: tensor<4x3xf32>, %x2: tensor<1x3xf32>, %x3: tensor<2x3x2xf32>, %x4: tensor<2x1x3xf32>) -> tensor<1x1xi64> {
    %v0 = "dnn.slice_scatter"(%x0, %x0) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
    %v1 = "dnn.constant"() {value = dense<[0, 4, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v2 = "dnn.gru"(%x1, %x2, %v1) {is_reverse = true, origin_mode = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<4x1xf32>
    %v3 = "dnn.div"(%x3, %x3) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v4 = "dnn.cumsum"(%v1) {axis = 0 : i64} : (tensor<3xi64>) -> tensor<3xi64>
    %v5 = "dnn.constant"() {value = dense<[[3.500000e+00], [2.500000e+00], [-2.500000e+00]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
    %v6 = "dnn.diagonal_scatter"(%x4, %v5) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64, dnn.engine = "cpu"} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v7 = "dnn.stack"(%x4) {axis = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<2x1x1x3xf32>
    %v8 = "dnn.maximum"(%v6, %x4) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v9 = "dnn.constant"() {value = dense<[[-1.500000e+00], [-2.500000e+00], [-5.000000e-01], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v10 = "dnn.diagonal"(%v9) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<4x1xf32>) -> tensor<1xf32>
    %v11 = "dnn.neg"(%v4) : (tensor<3xi64>) -> tensor<3xi64>
    %v12, %v13 = "dnn.top_k"(%v9) {k = 1 : i64, axis = 0 : i64, largest = false} : (tensor<4x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xi64>)
    func.return %v13 : tensor<1x1xi64>
  }
}
// optimal: 2 inplace=0; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 inplace=0; 13 inplace=0; 14 refused=[kernel kernel]; c9f818acb398
// paddle: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[kernel kernel]; 84c12d247126
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 refused=[kernel kernel] inplace_mode=none; 84c12d247126
// reinplace: 2 refused=[program-input]; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]; 8a94852d2ca2
// transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[kernel kernel]; 84c12d247126
// pool, optimal: 2 inplace=0; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 inplace=0; 13 inplace=0; 14 refused=[kernel kernel]; c9f818acb398
// pool, transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[kernel kernel]; 84c12d247126
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace=0 inplace_mode=none; 14 refused=[kernel kernel] inplace_mode=none; dff8a8268180
// random, transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]; dff8a8268180
