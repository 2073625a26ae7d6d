builtin.module {
  func.func @main(%x0: tensor<3x3xf32> {dnn.donated}, %x1: tensor<3x1x3xf32>, %x2: tensor<3xf32>, %x3: tensor<2xf32>) -> (tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
    %v0 = "dnn.scale"(%x0) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %v1 = "dnn.reshape"(%v0) : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %v2 = "dnn.abs"(%v1) {dnn.engine = "cpu"} : (tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
    %v3 = "dnn.stack"(%v2, %x1) {axis = 0 : i64, dnn.engine = "cpu"} : (tensor<3x1x3xf32>, tensor<3x1x3xf32>) -> tensor<2x3x1x3xf32>
    %v4 = "dnn.sum"(%v0, %v0) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %v5 = "dnn.diagonal_scatter"(%v4, %x2) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %v6 = "dnn.as_strided_scatter"(%v5, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<3x3xf32>, tensor<2xf32>) -> tensor<3x3xf32>
    %v7 = "dnn.flatten"(%x1) {axis = 3 : i64} : (tensor<3x1x3xf32>) -> tensor<9x1xf32>
    %v8 = "dnn.slice"(%v5) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %v9 = "dnn.neg"(%v8) : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %v10 = "dnn.neg"(%v9) {dnn.engine = "cpu"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
    func.return %v10, %v5, %v0 : tensor<1x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
  }
}
// optimal: 2 inplace=0; 4 refused=[used-later]; 5 parts=0; 6 refused=[repeated-operand]; 7 inplace=0; 8 refused=[used-later]; 11 refused=[returned]; 12 inplace=0
// paddle: 2 refused=[not-listed]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; 12 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[used-later]; 6 refused=[repeated-operand]; 7 inplace=0; 8 refused=[used-later]; 11 refused=[returned]; 12 inplace=0
// transpiler: 2 inplace=0; 4 refused=[used-later]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[returned]; 12 inplace=0
// pool optimal: 2 refused=[next-op-reuses]; 4 refused=[used-later]; 5 parts=0; 6 reuse=0 refused=[repeated-operand]; 7 refused=[next-op-reuses]; 8 reuse=0 refused=[used-later]; 11 refused=[returned]; 12 inplace=0
// pool transpiler: 2 refused=[next-op-reuses]; 4 refused=[used-later]; 6 reuse=0 refused=[not-listed]; 7 refused=[not-listed]; 8 reuse=0 refused=[not-listed]; 11 refused=[returned]; 12 inplace=0
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 2 inplace=0; 4 refused=[used-later]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[returned]; 12 inplace=0
//   dnn.scale (v0): %v0 is not written over %x0: a later op already lives in that memory, as %v4, by dnn.sum at line 7 [next-op-reuses] | pool optimal, pool transpiler
//   dnn.scale (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.abs (v2): %v2 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.scale (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.abs (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.sum (v4): %v4 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v5): %v5 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v9): %v9 is not written over %v8: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v10): %v10 is not written over %v9: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.stack (v3): %v2 is copied into %v3, 36 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.scale (v0): %v0 is written over %x0, operand 0 | optimal, transpiler, random transpiler
//   dnn.abs (v2): %v2 is not written over %v1: it is read later, as %v0, by dnn.sum at line 7 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.stack (v3): %v2 computed in place in %v3 | optimal, pool optimal
//   dnn.sum (v4): %v4 is not written over %v0: the same value is another operand too [repeated-operand] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v5): %v5 is not written over %v4: a later op already lives in that memory, as %v6, by dnn.as_strided_scatter at line 9 [next-op-reuses] | pool optimal
//   dnn.diagonal_scatter (v5): %v5 is written over %v4, operand 0 | optimal, reinplace
//   dnn.as_strided_scatter (v6): %v6 is not written over %v5: it is read later [used-later] | reinplace
//   dnn.neg (v9): %v9 is not written over %v8: it is returned [returned] | reinplace
//   dnn.as_strided_scatter (v6): %v6 is not written over %v5: it is read later, as %v8, by dnn.neg at line 12 [used-later] | optimal, pool optimal
//   dnn.neg (v9): %v9 is not written over %v8: it is returned, as %v5, by func.return at line 14 [returned] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v10): %v10 is written over %v9, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.stack (v3): %x1 is copied into %v3, 36 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.diagonal_scatter (v5): %v4 is copied into %v5, 36 bytes: a later op already lives in that memory, by dnn.as_strided_scatter at line 9 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.diagonal_scatter (v5): %x2 is copied into %v5, 12 bytes: a later op already lives in that memory, by dnn.as_strided_scatter at line 9 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.diagonal_scatter (v5): %v4 is copied into %v5, 36 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v5): %x2 is copied into %v5, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 36 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v6): %x3 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v5): %x2 is copied into %v5, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 36 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v6): %x3 is copied into %v6, 8 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.as_strided_scatter (v6): %v5 is copied into %v6, 36 bytes: it is read later, by dnn.neg at line 12 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.as_strided_scatter (v6): %x3 is copied into %v6, 8 bytes: it is read later, by dnn.neg at line 12 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
