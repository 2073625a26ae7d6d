builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32>) -> (tensor<6xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[3.500000e+00, -5.000000e-01], [1.500000e+00, -2.500000e+00], [1.500000e+00, -2.500000e+00]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
    %v1 = "dnn.select_scatter"(%x0, %v0) {dim = 0 : i64, index = -2 : i64} : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.select"(%v0) {dim = 0 : i64, index = -2 : i64} : (tensor<3x2xf32>) -> tensor<2xf32>
    %v3 = "dnn.sqrt"(%v2) : (tensor<2xf32>) -> tensor<2xf32>
    %v4 = "dnn.maximum"(%v3, %v3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %v5 = "dnn.clip"(%v2) {min = -1.000000e+00 : f32, max = 1.000000e+00 : f32} : (tensor<2xf32>) -> tensor<2xf32>
    %v6 = "dnn.concat"(%v3, %v3, %v4) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
    %v7 = "dnn.mul"(%v6, %v6) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v8 = "dnn.mul"(%v6, %v7) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    func.return %v8, %v1, %v1 : tensor<6xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>
  }
}
// optimal: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[used-later]; 7 refused=[constant]; 8 parts=0,2; 9 refused=[used-later]; 10 inplace=0; ee46d7deb3db
// paddle: 3 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 539b6a042e26
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 042838f914cc
// reinplace: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[repeated-operand]; 7 refused=[constant]; 9 refused=[repeated-operand]; 10 inplace=0; ad92758e2968
// transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 50a43a504ca0
// pool, optimal: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[used-later]; 7 refused=[constant]; 8 parts=0,2; 9 refused=[used-later]; 10 inplace=0; ee46d7deb3db
// pool, transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 50a43a504ca0
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace=1 inplace_mode=none; 79f648db7766
// random, transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 inplace=1; 0690baa3b2fd
