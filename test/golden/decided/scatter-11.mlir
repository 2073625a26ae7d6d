builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<2x1xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v2 = "dnn.add"(%v1, %v1) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v3 = "dnn.mul"(%v1, %v1) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v4 = "dnn.add"(%v3, %v3) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.concat"(%v2, %v2, %v1) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    %v7 = "dnn.slice_scatter"(%v5, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    func.return %v7, %v4 : tensor<2x2xf32>, tensor<2x1xf32>
  }
}
// optimal: 3 refused=[used-later]; 4 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 parts=0; 8 inplace=0
// paddle: 3 refused=[engine]; 4 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 8 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[repeated-operand]; 6 refused=[program-input]; 8 inplace=0
// transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]
// pool optimal: 3 refused=[used-later]; 4 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 parts=0; 8 inplace=0
// pool transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace=1 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace=0 inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 inplace=1; 6 refused=[not-listed]; 8 inplace=0
//   dnn.add (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.mul (v3): %v3 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v4): %v4 is not written over %v3: the same value is another operand too [repeated-operand] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.mul (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is written over %v3, operand 1 | random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v4): %v4 is not written over %v3: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v2 is copied into %v5, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v2 is copied into %v6, 8 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.add (v2): %v2 is not written over %v1: it is read later, by dnn.mul at line 5 [used-later] | optimal, pool optimal
//   dnn.mul (v3): %v3 is not written over %v1: it is read later, by dnn.concat at line 8 [used-later] | optimal, pool optimal
//   dnn.add (v4): %v4 is written over %v3, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is not written over %x0: it is read later, as %v1, by dnn.concat at line 8 [used-later] | optimal, pool optimal
//   dnn.concat (v6): %v2 computed in place in %v6 | optimal, pool optimal
//   dnn.slice_scatter (v7): %v7 is written over %v5, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v5): %v2 is copied into %v5, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 16 bytes: it is read later, by dnn.concat at line 8 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.slice_scatter (v5): %v2 is copied into %v5, 8 bytes: it is read later, by dnn.concat at line 8 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.concat (v6): %v2 is copied into %v6, 8 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
//   dnn.concat (v6): %v1 is copied into %v6, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.slice_scatter (v7): %v2 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v7): %v5 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v7): %v2 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v2 is copied into %v7, 8 bytes: it is read later, by dnn.mul at line 5 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
