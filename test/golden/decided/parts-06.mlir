builtin.module {
  func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<1xf32> {dnn.donated}, %x2: tensor<i64>, %x3: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) {
    %v0 = "dnn.as_strided_scatter"(%x0, %x1) {size = array<i64: 1>, stride = array<i64: 3>, storage_offset = 4 : i64} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %v1 = "dnn.constant"() {value = dense<[[-1.500000e+00, 2.500000e+00, -1.500000e+00]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
    %v2 = "dnn.slice_scatter"(%v0, %v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v3 = "dnn.identity"(%v2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v4 = "dnn.add"(%v0, %v1) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v5 = "dnn.concat"(%v0, %v0, %v4) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
    %v6 = "dnn.reshape"(%v2) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %v7 = "dnn.flatten"(%x2) {axis = 0 : i64} : (tensor<i64>) -> tensor<1x1xi64>
    %v8 = "dnn.cumsum"(%v1) {axis = -1 : i64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %v9 = "dnn.fill"(%v6) {value = 3.000000e+00 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %v10 = "dnn.as_strided_scatter"(%v9, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    %v11 = "dnn.identity"(%x3) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %v11, %v11, %v2 : tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 7 parts=0,2; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[engine]; 10 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=restricting; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=non_restricting; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=restricting
// reinplace: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0
// transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[constant]; 11 refused=[returned]; 12 refused=[not-listed]
// pool optimal: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[used-later]; 7 parts=0,2; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0
// pool transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[constant]; 11 refused=[returned]; 12 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=restricting; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=non_restricting; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=0 inplace_mode=none; 13 inplace_mode=restricting
// random transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[constant]; 11 refused=[returned]; 12 inplace=0
//   dnn.as_strided_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v2 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.cumsum (v8): %v8 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.fill (v9): %v9 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.as_strided_scatter (v10): %v10 is not written over %v9: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v0): %x0 is copied into %v0, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v0): %x1 is copied into %v0, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v0 is copied into %v2, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v5): %v0 is copied into %v5, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v5): %v4 is copied into %v5, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v10): %v9 is copied into %v10, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v10): %x3 is copied into %v10, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v2): %v2 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.add (v4): %v4 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v2): %v2 is not written over %v0: it is read later, by dnn.add at line 7 [used-later] | optimal, pool optimal
//   dnn.add (v4): %v4 is not written over %v0: it is read later, by dnn.concat at line 8 [used-later] | optimal, pool optimal
//   dnn.concat (v5): %v0, %v4 computed in place in %v5 | optimal, pool optimal
//   dnn.cumsum (v8): %v8 is not written over %v1: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.fill (v9): %v9 is not written over %v6: it is returned [returned] | reinplace
//   dnn.fill (v9): %v9 is not written over %v6: it is returned, as %v2, by func.return at line 15 [returned] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.as_strided_scatter (v10): %v10 is written over %v9, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v0): %x0 is copied into %v0, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.as_strided_scatter (v0): %x1 is copied into %v0, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v2): %v0 is copied into %v2, 24 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 12 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v2): %v0 is copied into %v2, 24 bytes: it is read later, by dnn.add at line 7 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 12 bytes: it is read later, by dnn.add at line 7 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.concat (v5): %v0 is copied into %v5, 24 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
//   dnn.as_strided_scatter (v10): %x3 is copied into %v10, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   func.return: %v11 is copied into the memory of result 0, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v11 is copied into the memory of result 1, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
