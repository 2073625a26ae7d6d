builtin.module {
  func.func @main(%x0: tensor<4xf64> {dnn.donated}) -> (tensor<4xf64>, tensor<1xf64>, tensor<1xf64>) {
    %v0 = "dnn.constant"() {value = dense<[[2.500000e+00, 2.500000e+00, -5.000000e-01, -2.500000e+00]]> : tensor<1x4xf64>} : () -> tensor<1x4xf64>
    %v1 = "dnn.constant"() {value = dense<1.500000e+00> : tensor<1xf64>} : () -> tensor<1xf64>
    %v2 = "dnn.diagonal_scatter"(%v0, %v1) {offset = 3 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<1x4xf64>, tensor<1xf64>) -> tensor<1x4xf64>
    %v3 = "dnn.constant"() {value = dense<[[-2.500000e+00, 3.500000e+00, 1.500000e+00, 3.500000e+00], [-2.500000e+00, -5.000000e-01, -5.000000e-01, 1.500000e+00], [2.500000e+00, 2.500000e+00, 3.500000e+00, -5.000000e-01]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v4 = "dnn.as_strided"(%v3) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 2 : i64} : (tensor<3x4xf64>) -> tensor<1xf64>
    %v5 = "dnn.relu"(%v4) : (tensor<1xf64>) -> tensor<1xf64>
    %v6 = "dnn.slice_scatter"(%v5, %v5) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
    %v7 = "dnn.clip"(%v5) {min = -9.000000e+00 : f32, max = 9.000000e+00 : f32} : (tensor<1xf64>) -> tensor<1xf64>
    %v8 = "dnn.cast"(%v7) : (tensor<1xf64>) -> tensor<1xi64>
    %v9 = "dnn.stack"(%v2) {axis = 2 : i64} : (tensor<1x4xf64>) -> tensor<1x4x1xf64>
    %v10 = "dnn.div"(%x0, %v6) : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
    %v11 = "dnn.slice_scatter"(%x0, %v7) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xf64>
    %v12 = "dnn.log_softmax"(%v10) {axis = -1 : i64} : (tensor<4xf64>) -> tensor<4xf64>
    func.return %v12, %v1, %v7 : tensor<4xf64>, tensor<1xf64>, tensor<1xf64>
  }
}
// optimal: 4 refused=[constant]; 7 refused=[constant]; 8 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 11 parts=0; 12 refused=[used-later]; 13 inplace=0; 14 inplace=0
// paddle: 4 refused=[not-listed]; 7 refused=[engine]; 8 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[not-listed]
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[constant]; 7 refused=[constant]; 8 refused=[repeated-operand]; 9 inplace=0; 10 refused=[kernel]; 12 refused=[program-input]; 13 refused=[program-input]; 14 refused=[not-listed]
// transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 inplace=0; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 inplace=0
// pool optimal: 4 refused=[constant]; 7 refused=[constant]; 8 inplace=0; 9 refused=[used-later]; 10 refused=[kernel]; 11 parts=0; 12 refused=[used-later]; 13 inplace=0; 14 inplace=0
// pool transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 inplace=0; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 inplace=0
// random nntrainer: 4 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 inplace=0 inplace_mode=none
// random transpiler: 4 refused=[not-listed]; 7 refused=[constant]; 8 refused=[not-listed]; 9 inplace=0; 10 refused=[kernel]; 12 refused=[not-listed]; 13 refused=[not-listed]; 14 inplace=0
//   dnn.div (v10): dnn.inplace of result 0 dropped: it has no effect, as the value cannot lie there | random nntrainer, random transpiler
//   dnn.diagonal_scatter (v2): %v2 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v5): %v5 is not written over %v4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.clip (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.diagonal_scatter (v2): %v2 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.relu (v5): %v5 is not written over %v4: the operand is a constant [constant] | reinplace
//   dnn.slice_scatter (v6): %v6 is not written over %v5: the same value is another operand too [repeated-operand] | reinplace
//   dnn.clip (v7): %v7 is written over %v5, operand 0 | reinplace, transpiler, pool transpiler, random transpiler
//   dnn.relu (v5): %v5 is not written over %v4: the operand is a constant, as %v3 [constant] | optimal, nntrainer, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is written over %v5, operand 0 | optimal, pool optimal
//   dnn.clip (v7): %v7 is not written over %v5: it is read later, as %v6, by dnn.div at line 13 [used-later] | optimal, pool optimal
//   dnn.cast (v8): %v8 is not written over %v7: no kernel of this op writes over that operand [kernel] | all
//   dnn.div (v10): %v10 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v11): %v11 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.div (v10): %v10 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v11): %v11 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.log_softmax (v12): %v12 is not written over %v10: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace
//   dnn.diagonal_scatter (v2): %v0 is copied into %v2, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v2): %v1 is copied into %v2, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v5 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle 2 times, nntrainer 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.stack (v9): %v2 is copied into %v9, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v11): %x0 is copied into %v11, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v11): %v7 is copied into %v11, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v11): %x0 is copied into %v11, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v11): %v7 is copied into %v11, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.stack (v9): %v2 computed in place in %v9 | optimal, pool optimal
//   dnn.div (v10): %v10 is not written over %x0: it is read later, by dnn.slice_scatter at line 14 [used-later] | optimal, pool optimal
//   dnn.slice_scatter (v11): %v11 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.log_softmax (v12): %v12 is written over %v10, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v2): %v0 is copied into %v2, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v2): %v1 is copied into %v2, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v6): %v5 is copied into %v6, 8 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | reinplace 2 times
//   dnn.slice_scatter (v11): %v7 is copied into %v11, 8 bytes: it is read later, by dnn.div at line 13 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   func.return: %v1 is copied into the memory of result 1, 8 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
