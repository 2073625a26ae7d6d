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
// optimal: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 7 parts=0; 9 refused=[used-later]; 10 refused=[kernel]; 12 inplace=0
// paddle: 3 refused=[not-listed]; 5 refused=[kernel kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[engine]
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 5 refused=[kernel kernel] inplace_mode=none; 6 inplace=0 inplace_mode=restricting; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 12 refused=[not-listed]
// transpiler: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 refused=[kernel]; 12 inplace=0
// pool optimal: 2 reuse=0; 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 7 parts=0; 9 refused=[used-later]; 10 reuse=0 refused=[kernel]; 12 inplace=0
// pool transpiler: 2 reuse=0; 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 reuse=0 refused=[kernel]; 12 inplace=0
// random nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 5 refused=[kernel kernel] inplace_mode=none; 6 inplace=0 inplace_mode=restricting; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=none
// random transpiler: 3 refused=[used-later]; 5 refused=[kernel kernel]; 6 inplace=0; 9 refused=[not-listed]; 10 refused=[kernel]; 12 inplace=0
//   dnn.ones (v1): %v1 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.ones (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.ones (v1): %v1 is not written over %v0: it is read later, by dnn.gemm at line 10 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.top_k (v3, v4): %v3 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   dnn.top_k (v3, v4): %v4 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   dnn.gelu (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle
//   dnn.gemm (v8): %v8 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gelu (v5): %v5 is written over %v3, operand 0 | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v8): %v8 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.concat (v6): %v5 computed in place in %v6 | optimal, pool optimal
//   dnn.gemm (v8): %v8 is not written over %v1: it is read later, by dnn.matmul at line 11 [used-later] | optimal, pool optimal
//   dnn.matmul (v9): %v9 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   dnn.softmax (v11): %v11 is not written over %v10: the strategy's system does not do that [not-listed] | nntrainer, reinplace
//   dnn.softmax (v11): %v11 is not written over %v10: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.softmax (v11): %v11 is written over %v10, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v0): %x0 is copied into %v0, 36 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v6): %v5 is copied into %v6, 8 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v6): %v5 is copied into %v6, 8 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
//   dnn.gemm (v8): %v1 is copied into %v8, 36 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   dnn.copy (v10): %v7 is copied into %v10, 8 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | all
