builtin.module {
  func.func @main(%x0: tensor<2x3xf64>, %x1: tensor<2x1x3xf32>, %x2: tensor<3x1xf32> {dnn.donated}) -> tensor<2x1x3xf32> {
    %v0 = "dnn.constant"() {value = dense<[[[-1, 0], [2, 3], [3, -3]], [[-1, -1], [3, -3], [-3, 0]]]> : tensor<2x3x2xi32>} : () -> tensor<2x3x2xi32>
    %v1 = "dnn.copy_into"(%v0, %v0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
    %v2 = "dnn.concat"(%x0, %x0) {axis = 1 : i64} : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x6xf64>
    %v3 = "dnn.diagonal_scatter"(%x1, %x2) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v4 = "dnn.fill"(%v3) {value = 3.000000e+00 : f32} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.zeros"(%x1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    func.return %v5 : tensor<2x1x3xf32>
  }
}
// optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]; 9cc4e940cfdb
// paddle: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f9d9d30a8278
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; f9d9d30a8278
// reinplace: 3 refused=[constant]; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]; aafc086262bd
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f9d9d30a8278
// pool, optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]; 9cc4e940cfdb
// pool, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; f9d9d30a8278
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 411e457c1d53
// random, transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[not-listed]; 411e457c1d53
