builtin.module {
  func.func @main(%x0: tensor<3x4xf64>, %x1: tensor<4xf64>) -> tensor<2x1x3xf32> {
    %v0 = "dnn.constant"() {value = dense<3.500000e+00> : tensor<f64>} : () -> tensor<f64>
    %v1, %v2 = "dnn.multiout"(%v0) : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
    %v3 = "dnn.cast"(%v2) : (tensor<f64>) -> tensor<f64>
    %v4 = "dnn.concat"(%x0) {axis = 0 : i64} : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v5 = "dnn.constant"() {value = dense<-2.500000e+00> : tensor<1xf64>} : () -> tensor<1xf64>
    %v6 = "dnn.as_strided_scatter"(%v4, %v5) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x4xf64>, tensor<1xf64>) -> tensor<3x4xf64>
    %v7 = "dnn.select_scatter"(%v6, %x1) {dim = 0 : i64, index = 0 : i64} : (tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>
    %v8 = "dnn.sqrt"(%x0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v9 = "dnn.constant"() {value = dense<[[[1.500000e+00, 2.500000e+00, -2.500000e+00]], [[5.000000e-01, 3.500000e+00, 2.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    func.return %v9 : tensor<2x1x3xf32>
  }
}
// optimal: 4 refused=[constant]; 7 inplace=0; 8 inplace=0; 9 refused=[program-input]
// paddle: 4 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[engine]
// nntrainer: 3 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[constant]; 7 inplace=0; 8 inplace=0; 9 refused=[program-input]
// transpiler: 4 refused=[constant]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[program-input]
// pool optimal: 4 refused=[constant]; 5 reuse=0; 7 reuse=0 refused=[next-op-reuses]; 8 inplace=0 reuse=0; 9 reuse=0 refused=[program-input]
// pool transpiler: 4 refused=[constant]; 5 reuse=0; 7 reuse=1 refused=[not-listed]; 8 reuse=0 refused=[not-listed]; 9 reuse=1 refused=[program-input]
// random nntrainer: 3 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 4 refused=[constant]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[program-input]
//   dnn.cast (v3): %v3 is not written over %v2: the operand is a constant [constant] | reinplace
//   dnn.cast (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.as_strided_scatter (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.sqrt (v8): %v8 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.sqrt (v8): %v8 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.cast (v3): %v3 is not written over %v2: the operand is a constant, as %v0 [constant] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.as_strided_scatter (v6): %v6 is not written over %v4: a later op already lives in that memory, as %v6 [next-op-reuses] | pool optimal
//   dnn.as_strided_scatter (v6): %v6 is written over %v4, operand 0 | optimal, reinplace
//   dnn.select_scatter (v7): %v7 is written over %v6, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.sqrt (v8): %v8 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v4): %x0 is copied into %v4, 96 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 8 bytes: a later op already lives in that memory [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.as_strided_scatter (v6): %v4 is copied into %v6, 96 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v7): %v6 is copied into %v7, 96 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.select_scatter (v7): %x1 is copied into %v7, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace
//   dnn.select_scatter (v7): %x1 is copied into %v7, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   func.return: %v9 is copied into the memory of result 0, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
