builtin.module {
  func.func @main(%x0: tensor<3x3xf32>) -> (tensor<1x1x2xf32>, tensor<4xf32>) {
    %v0 = "dnn.concat"(%x0) {axis = 0 : i64} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v1 = "dnn.ones"(%v0) : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v2 = "dnn.constant"() {value = dense<[-1.500000e+00, 5.000000e-01, -1.500000e+00, 3.500000e+00, -2.500000e+00, -2.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v3, %v4 = "dnn.top_k"(%v2) {k = 2 : i64, axis = 0 : i64, largest = true} : (tensor<6xf32>) -> (tensor<2xf32>, tensor<2xi64>)
    %v5 = "dnn.gelu"(%v3) : (tensor<2xf32>) -> tensor<2xf32>
    %v6 = "dnn.concat"(%v5, %v5) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %v7 = "dnn.reshape"(%v5) : (tensor<2xf32>) -> tensor<1x1x2xf32>
    %v8 = "dnn.gemm"(%v0, %x0, %v1) {transA = 0 : i64, transB = 1 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %v9 = "dnn.matmul"(%v1, %v8) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %v10 = "dnn.copy"(%v7) : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    %v11 = "dnn.softmax"(%v10) {axis = 0 : i64} : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    func.return %v11, %v6 : tensor<1x1x2xf32>, tensor<4xf32>
  }
}
// optimal: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 7 parts=0; 9 refused=[used-later]; 10 refused=[kernel]; 12 inplace=0; 2f0798a231ef
// paddle: 3 refused=[not-listed]; 5 refused=[kernel kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[engine]; 4128126ac25e
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 5 refused=[kernel kernel] inplace_mode=none; 6 inplace=0 inplace_mode=restricting; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; a2bcb1a0028c
// reinplace: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 12 refused=[not-listed]; c85e93474202
// transpiler: 3 refused=[not-listed]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; a2bcb1a0028c
// pool, optimal: 2 reuse=0; 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 7 parts=0; 9 refused=[used-later]; 10 reuse=0 refused=[kernel]; 12 inplace=0; 2f0798a231ef
// pool, transpiler: 2 reuse=0; 3 refused=[not-listed]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 reuse=0 refused=[kernel]; 12 refused=[not-listed]; a2bcb1a0028c
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 5 refused=[kernel kernel] inplace_mode=none; 6 inplace=0 inplace_mode=restricting; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=none; 0f0b607fae6d
// random, transpiler: 3 refused=[not-listed]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 refused=[kernel]; 12 inplace=0; 0f0b607fae6d
