builtin.module {
  func.func @main(%x0: tensor<4x1xf32> {dnn.donated}) -> tensor<f64> {
    %v0 = "dnn.gemm"(%x0, %x0) {transA = 0 : i64, transB = 1 : i64, alpha = 5.000000e-01 : f32, dnn.engine = "cpu"} : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
    %v1, %v2, %v3, %v4 = "dnn.unbind"(%x0) {axis = 0 : i64} : (tensor<4x1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
    %v5 = "dnn.constant"() {value = dense<[3.500000e+00, 5.000000e-01, 1.500000e+00, -5.000000e-01, -2.500000e+00, 5.000000e-01]> : tensor<6xf64>} : () -> tensor<6xf64>
    %v6 = "dnn.pad"(%v5) {pads = array<i64: 0, 2>, value = 1.500000e+00 : f32} : (tensor<6xf64>) -> tensor<8xf64>
    %v7 = "dnn.reduce_mean"(%v5) {axes = array<i64: 0>, keepdims = false, dnn.engine = "cpu"} : (tensor<6xf64>) -> tensor<f64>
    func.return %v7 : tensor<f64>
  }
}
// optimal: 2 refused=[kernel]; 6 refused=[kernel]
// paddle: 2 refused=[kernel]; 6 refused=[kernel]
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none
// reinplace: 2 refused=[kernel]; 6 refused=[kernel]
// transpiler: 2 refused=[kernel]; 6 refused=[kernel]
// pool optimal: 2 refused=[kernel]; 6 refused=[kernel]
// pool transpiler: 2 refused=[kernel]; 6 refused=[kernel]
// random nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace_mode=none; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none
// random transpiler: 2 refused=[kernel]; 6 refused=[kernel]
//   dnn.gemm (v0): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.reduce_mean (v7): %v7 is not written over %v5: no kernel of this op writes over that operand [kernel] | all
