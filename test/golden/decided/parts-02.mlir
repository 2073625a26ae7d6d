builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x6xf32>, %x2: tensor<2x3x2xf32>, %x3: tensor<1x6xf32>, %x4: tensor<1x2xf32>) -> tensor<2x3x2xf32> {
    %v0 = "dnn.constant"() {value = dense<[0, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v1 = "dnn.fused_gru"(%x0, %x1, %x2, %x3, %x4, %v0) {is_reverse = true, origin_mode = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (tensor<2x2xf32>, tensor<2x6xf32>, tensor<2x3x2xf32>, tensor<1x6xf32>, tensor<1x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
    %v2 = "dnn.scale"(%x2) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v3 = "dnn.constant"() {value = dense<[[1.500000e+00], [5.000000e-01]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
    %v4 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.gemm"(%v4, %v3) {transA = 0 : i64, transB = 0 : i64, beta = 2.000000e+00 : f32} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v6 = "dnn.slice_scatter"(%v1, %x4) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.concat"(%v4) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v8 = "dnn.constant"() {value = dense<[[[-5.000000e-01], [2.500000e+00], [-2.500000e+00]], [[-1.500000e+00], [3.500000e+00], [3.500000e+00]]]> : tensor<2x3x1xf32>} : () -> tensor<2x3x1xf32>
    %v9 = "dnn.slice_scatter"(%x2, %v8) {dim = 2 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x3x2xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
    func.return %v9 : tensor<2x3x2xf32>
  }
}
// optimal: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[used-later]; 7 refused=[kernel]; 8 inplace=0; 9 parts=0; 11 refused=[program-input]; fb275f838a27
// paddle: 3 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 88a18cb5f648
// nntrainer: 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 88a18cb5f648
// reinplace: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[used-later]; 7 refused=[kernel]; 8 inplace=0; 11 refused=[program-input]; 30529f163824
// transpiler: 3 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 88a18cb5f648
// pool, optimal: 3 reuse=0 refused=[kernel]; 4 refused=[program-input]; 6 refused=[next-op-reuses]; 7 refused=[kernel]; 8 inplace=0; 9 reuse=0; 11 refused=[program-input]; 57019c5ef32e
// pool, transpiler: 3 reuse=0 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 9 reuse=0; 11 refused=[not-listed]; 88a18cb5f648
// random, nntrainer: 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 88a18cb5f648
// random, transpiler: 3 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]; 88a18cb5f648
