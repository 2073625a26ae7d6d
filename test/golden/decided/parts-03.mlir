builtin.module {
  func.func @main(%x0: tensor<2x1xf32> {dnn.donated}) -> tensor<3x1xi1> {
    %v0 = "dnn.constant"() {value = dense<[[[3.500000e+00, 2.500000e+00, 1.500000e+00]], [[2.500000e+00, 5.000000e-01, -1.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 0 : i64, dim1 = 2 : i64, dim2 = 1 : i64} : (tensor<2x1x3xf32>, tensor<2x1xf32>) -> tensor<2x1x3xf32>
    %v2 = "dnn.identity"(%v1) {dnn.engine = "cpu"} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v3 = "dnn.concat"(%x0) {axis = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %v4 = "dnn.reduce_sum"(%v0) {axes = array<i64: 1>, keepdims = true} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.constant"() {value = dense<[[-1.500000e+00], [2.500000e+00], [-1.500000e+00]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
    %v6 = "dnn.diagonal_scatter"(%v4, %v5) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v7 = "dnn.greater_or_equal"(%v5, %v5) : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    func.return %v7 : tensor<3x1xi1>
  }
}
// optimal: 3 refused=[constant]; 6 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]; 14120c29ca82
// paddle: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]; e93819c43e8f
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=non_restricting; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; e93819c43e8f
// reinplace: 3 refused=[constant]; 6 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]; 14120c29ca82
// transpiler: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]; e93819c43e8f
// pool, optimal: 3 reuse=0 refused=[constant]; 6 reuse=0 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]; 14120c29ca82
// pool, transpiler: 3 reuse=0 refused=[not-listed]; 6 reuse=0 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]; e93819c43e8f
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=non_restricting; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; e93819c43e8f
// random, transpiler: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]; e93819c43e8f
