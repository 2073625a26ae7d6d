builtin.module {
  func.func @main(%x0: tensor<2x1x3xi32> {dnn.donated}, %x1: tensor<2xi32>, %x2: tensor<2x3x2xf32>, %x3: tensor<6xf32> {dnn.donated}, %x4: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1x3xi32>) {
    %v0 = "dnn.as_strided_scatter"(%x0, %x1) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 0 : i64} : (tensor<2x1x3xi32>, tensor<2xi32>) -> tensor<2x1x3xi32>
    %v1 = "dnn.add"(%x2, %x2) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.expand"(%v0) : (tensor<2x1x3xi32>) -> tensor<1x2x2x3xi32>
    %v3 = "dnn.expand"(%x1) : (tensor<2xi32>) -> tensor<2xi32>
    %v4 = "dnn.relu_grad"(%x3, %x3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v5 = "dnn.slice_scatter"(%x3, %x4) {dim = 0 : i64, start = 3 : i64, end = 6 : i64, step = 2 : i64} : (tensor<6xf32>, tensor<2xf32>) -> tensor<6xf32>
    %v6 = "dnn.constant"() {value = dense<[[-2.500000e+00, -5.000000e-01, -2.500000e+00, -2.500000e+00], [-5.000000e-01, 1.500000e+00, 3.500000e+00, 2.500000e+00], [1.500000e+00, 5.000000e-01, 5.000000e-01, -5.000000e-01]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v7 = "dnn.cumsum"(%v6) {axis = 1 : i64} : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v8 = "dnn.stack"(%x3) {axis = 0 : i64} : (tensor<6xf32>) -> tensor<1x6xf32>
    %v9 = "dnn.constant"() {value = dense<[3.500000e+00, 2.500000e+00, -2.500000e+00, -1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v10 = "dnn.add"(%v9, %x3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v11 = "dnn.as_strided"(%x3) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 0 : i64} : (tensor<6xf32>) -> tensor<2xf32>
    %v12 = "dnn.neg"(%v11) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %v12, %v0 : tensor<2xf32>, tensor<2x1x3xi32>
  }
}
// optimal: 2 inplace=0; 3 refused=[program-input]; 6 refused=[repeated-operand]; 7 refused=[used-later]; 9 refused=[constant]; 12 refused=[used-later]; 14 inplace=0
// paddle: 2 refused=[not-listed]; 3 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[engine]; 14 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[program-input]; 9 refused=[constant]; 12 refused=[constant]; 14 refused=[program-input]
// transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[constant]; 12 refused=[not-listed]; 14 inplace=0
// pool optimal: 2 inplace=0; 3 refused=[program-input]; 6 refused=[repeated-operand]; 7 refused=[used-later]; 9 refused=[constant]; 12 refused=[used-later]; 14 inplace=0
// pool transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[constant]; 12 refused=[not-listed]; 14 inplace=0
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[constant]; 12 refused=[not-listed]; 14 inplace=0
//   dnn.as_strided_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.as_strided_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x2: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.relu_grad (v4): %v4 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v5 is not written over %x3: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.cumsum (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.add (v10): %v10 is not written over %v9: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v10): %v10 is not written over %v9: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.neg (v12): %v12 is not written over %v11: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.as_strided_scatter (v0): %x0 is copied into %v0, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v0): %x1 is copied into %v0, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x4 is copied into %v5, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.add (v1): %v1 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.relu_grad (v4): %v4 is not written over %x3: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is not written over %x3: it is read later, by dnn.stack at line 11 [used-later] | optimal, pool optimal
//   dnn.cumsum (v7): %v7 is not written over %v6: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.add (v10): %v10 is not written over %v9: the operand is a constant [constant] | reinplace
//   dnn.neg (v12): %v12 is not written over %v11: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.as_strided_scatter (v0): %x0 is copied into %v0, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.add (v10): %v10 is not written over %x3: it is read later, as %v11, by dnn.neg at line 15 [used-later] | optimal, pool optimal
//   dnn.neg (v12): %v12 is written over %v11, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v0): %x1 is copied into %v0, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v5): %x4 is copied into %v5, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v5): %x3 is copied into %v5, 24 bytes: it is read later, by dnn.stack at line 11 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.slice_scatter (v5): %x4 is copied into %v5, 8 bytes: it is read later, by dnn.stack at line 11 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.stack (v8): %x3 is copied into %v8, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   func.return: %v12 is copied into the memory of result 0, 8 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
