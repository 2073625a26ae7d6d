builtin.module {
  func.func @main(%x0: tensor<1xi32>, %x1: tensor<4x2xf64>, %x2: tensor<1xi64> {dnn.donated}) -> tensor<4x5xf64> {
    %v0 = "dnn.constant"() {value = dense<[[-1, 0], [2, 0]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x2xi32>, tensor<1xi32>) -> tensor<2x2xi32>
    %v2 = "dnn.constant"() {value = dense<[[1.500000e+00, -5.000000e-01, 5.000000e-01, 3.500000e+00], [3.500000e+00, 3.500000e+00, 5.000000e-01, -2.500000e+00], [-1.500000e+00, 1.500000e+00, -2.500000e+00, 1.500000e+00]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v3 = "dnn.constant"() {value = dense<[[-2.500000e+00, 2.500000e+00, 3.500000e+00, 1.500000e+00], [-2.500000e+00, -1.500000e+00, 5.000000e-01, 5.000000e-01], [-5.000000e-01, 5.000000e-01, -5.000000e-01, 2.500000e+00], [3.500000e+00, -2.500000e+00, 1.500000e+00, 1.500000e+00], [5.000000e-01, 1.500000e+00, -5.000000e-01, 5.000000e-01], [-1.500000e+00, -2.500000e+00, -5.000000e-01, -5.000000e-01]]> : tensor<6x4xf64>} : () -> tensor<6x4xf64>
    %v4 = "dnn.constant"() {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v5 = "dnn.crf_decoding"(%v2, %v3, %v4) : (tensor<3x4xf64>, tensor<6x4xf64>, tensor<2xi64>) -> tensor<3x1xi64>
    %v6 = "dnn.matmul"(%v3, %x1) : (tensor<6x4xf64>, tensor<4x2xf64>) -> tensor<6x2xf64>
    %v7 = "dnn.slice"(%v6) {dim = 0 : i64, start = 3 : i64, end = 5 : i64, step = 2 : i64} : (tensor<6x2xf64>) -> tensor<1x2xf64>
    %v8 = "dnn.select_scatter"(%v5, %x2) {dim = 0 : i64, index = 0 : i64} : (tensor<3x1xi64>, tensor<1xi64>) -> tensor<3x1xi64>
    %v9 = "dnn.constant"() {value = dense<[-2, 0, -3, -1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %v10 = "dnn.stack"(%v5, %v8) {axis = 0 : i64} : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<2x3x1xi64>
    %v11 = "dnn.pad"(%v7) {pads = array<i64: 2, 2, 1, 1>, value = 1.500000e+00 : f32} : (tensor<1x2xf64>) -> tensor<4x5xf64>
    func.return %v11 : tensor<4x5xf64>
  }
}
// optimal: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]; 12 parts=0,1; 16e7abde5601
// paddle: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 0d405b49d8ca
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace_mode=none; 0d405b49d8ca
// reinplace: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]; 7e060827756b
// transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 0d405b49d8ca
// pool, optimal: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]; 12 parts=0,1; 16e7abde5601
// pool, transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 0d405b49d8ca
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace_mode=none; 0d405b49d8ca
// random, transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 0d405b49d8ca
