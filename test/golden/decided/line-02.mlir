builtin.module {
  func.func @main(%x0: tensor<4x1xi64>, %x1: tensor<3x3xf32>, %x2: tensor<5x3xf32>) -> tensor<5xf32> {
    %v0, %v1 = "dnn.top_k"(%x0) {k = 1 : i64, axis = 1 : i64, largest = false} : (tensor<4x1xi64>) -> (tensor<4x1xi64>, tensor<4x1xi64>)
    %v2 = "dnn.cast"(%v0) {dnn.engine = "cpu"} : (tensor<4x1xi64>) -> tensor<4x1xi32>
    %v3 = "dnn.clip"(%x1) {min = -1.000000e+00 : f32, max = 1.000000e+00 : f32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v4 = "dnn.neg"(%x1) : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v5 = "dnn.as_strided"(%v4) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 3 : i64} : (tensor<3x3xf32>) -> tensor<3xf32>
    %v6 = "dnn.ones"(%v5) : (tensor<3xf32>) -> tensor<3xf32>
    %v7 = "dnn.matmul"(%v3, %v3) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %v8 = "dnn.greater_or_equal"(%v6, %v5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %v9 = "dnn.constant"() {value = dense<[0, 0, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v10 = "dnn.crf_decoding"(%v7, %x2, %v9) : (tensor<3x3xf32>, tensor<5x3xf32>, tensor<3xi64>) -> tensor<3x1xi64>
    %v11 = "dnn.pad"(%v6) {pads = array<i64: 0, 2>, value = 1.500000e+00 : f32} : (tensor<3xf32>) -> tensor<5xf32>
    func.return %v11 : tensor<5xf32>
  }
}
// optimal: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]; 12 parts=0
// paddle: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]
// nntrainer: 2 refused=[kernel kernel] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 inplace_mode=none
// reinplace: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]
// transpiler: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]
// pool optimal: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]; 12 parts=0
// pool transpiler: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]
// random nntrainer: 2 refused=[kernel kernel] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 inplace_mode=none
// random transpiler: 2 refused=[kernel kernel]; 3 refused=[kernel]; 4 refused=[program-input]; 5 refused=[program-input]; 7 refused=[used-later]; 8 refused=[kernel]; 9 refused=[kernel]; 11 refused=[kernel]
//   dnn.top_k (v0, v1): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.top_k (v0, v1): %v1 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.cast (v2): %v2 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   dnn.clip (v3): %v3 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v4): %v4 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.ones (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.clip (v3): %v3 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v4): %v4 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.ones (v6): %v6 is not written over %v5: it is read later [used-later] | reinplace
//   dnn.ones (v6): %v6 is not written over %v5: it is read later, by dnn.greater_or_equal at line 10 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.matmul (v7): %v7 is not written over %v3: no kernel of this op writes over that operand [kernel] | all
//   dnn.greater_or_equal (v8): %v8 is not written over %v6: no kernel of this op writes over that operand [kernel] | all
//   dnn.crf_decoding (v10): %v10 is not written over %v7: no kernel of this op writes over that operand [kernel] | all
//   dnn.pad (v11): %v6 computed in place in %v11 | optimal, pool optimal
