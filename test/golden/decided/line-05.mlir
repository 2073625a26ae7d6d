builtin.module {
  func.func @main(%x0: tensor<2x1x3xi1> {dnn.donated}, %x1: tensor<6xf64> {dnn.donated}, %x2: tensor<1xf64> {dnn.donated}) -> (tensor<6xf64> {dnn.tied = 1 : i32}, tensor<2x1x3xf64>) {
    %v0 = "dnn.constant"() {value = dense<[[[5.000000e-01, 1.500000e+00, -5.000000e-01]], [[5.000000e-01, 1.500000e+00, 5.000000e-01]]]> : tensor<2x1x3xf64>} : () -> tensor<2x1x3xf64>
    %v1 = "dnn.concat"(%v0) {axis = 2 : i64} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v2 = "dnn.reshape"(%v1) : (tensor<2x1x3xf64>) -> tensor<2x3xf64>
    %v3 = "dnn.where"(%x0, %v0, %v1) : (tensor<2x1x3xi1>, tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v4 = "dnn.constant"() {value = dense<[[true], [false]]> : tensor<2x1xi1>} : () -> tensor<2x1xi1>
    %v5 = "dnn.select_scatter"(%x0, %v4) {dim = 2 : i64, index = -1 : i64} : (tensor<2x1x3xi1>, tensor<2x1xi1>) -> tensor<2x1x3xi1>
    %v6 = "dnn.fill"(%v1) {value = 3.000000e+00 : f32} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v7 = "dnn.reshape"(%x0) : (tensor<2x1x3xi1>) -> tensor<3x1x2xi1>
    %v8 = "dnn.as_strided"(%v3) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 2 : i64} : (tensor<2x1x3xf64>) -> tensor<2xf64>
    %v9 = "dnn.sqrt"(%v8) : (tensor<2xf64>) -> tensor<2xf64>
    %v10 = "dnn.slice_scatter"(%x1, %x2) {dim = 0 : i64, start = 2 : i64, end = 4 : i64, step = 2 : i64} : (tensor<6xf64>, tensor<1xf64>) -> tensor<6xf64>
    func.return %v10, %v6 : tensor<6xf64>, tensor<2x1x3xf64>
  }
}
// optimal: 5 inplace=2; 7 inplace=0; 8 refused=[used-later]; 11 inplace=0; 12 inplace=0
// paddle: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[engine]; 12 refused=[not-listed]
// nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[not-listed]; 7 refused=[program-input]; 8 inplace=0; 11 inplace=0; 12 refused=[program-input]
// transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 11 inplace=0; 12 refused=[not-listed]
// pool optimal: 5 inplace=2; 7 inplace=0; 8 refused=[used-later]; 11 inplace=0; 12 inplace=0
// pool transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 11 inplace=0; 12 refused=[not-listed]
// random nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=0 inplace_mode=none
// random transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 11 inplace=0; 12 inplace=0
//   dnn.where (v3): %v3 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.fill (v6): %v6 is written over %v1, operand 0 | reinplace, transpiler, pool transpiler, random transpiler
//   dnn.select_scatter (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.sqrt (v9): %v9 is not written over %v8: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.sqrt (v9): %v9 is not written over %v8: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v10): %v10 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.where (v3): %v3 is written over %v1, operand 2 | optimal, pool optimal
//   dnn.select_scatter (v5): %v5 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.fill (v6): %v6 is not written over %v1: it is read later, as %v3, by dnn.sqrt at line 12 [used-later] | optimal, pool optimal
//   dnn.sqrt (v9): %v9 is written over %v8, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v10): %v10 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v10): %v10 is written over %x1, operand 0 | optimal, pool optimal, random nntrainer, random transpiler
//   dnn.concat (v1): %v0 is copied into %v1, 48 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.select_scatter (v5): %x0 is copied into %v5, 6 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.select_scatter (v5): %v4 is copied into %v5, 2 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v10): %x1 is copied into %v10, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.select_scatter (v5): %x0 is copied into %v5, 6 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v5): %v4 is copied into %v5, 2 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v10): %x1 is copied into %v10, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v10): %x2 is copied into %v10, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   func.return: %v10 is copied into the memory of result 0, 48 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler
//   dnn.select_scatter (v5): %v4 is copied into %v5, 2 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, pool optimal
//   dnn.slice_scatter (v10): %x2 is copied into %v10, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
