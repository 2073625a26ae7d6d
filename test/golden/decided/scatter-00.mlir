builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}, tensor<2x4xf32>, tensor<2x4xf32>) {
    %v1 = "dnn.exp"(%x0) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.slice"(%v1) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %v3 = "dnn.copy_into"(%v2, %v2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.relu"(%v2) {dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v7 = "dnn.add"(%v4, %v1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v8 = "dnn.slice_scatter"(%v1, %v3) {dim = 0 : i64, start = 2 : i64, end = 4 : i64} : (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    func.return %v8, %v2, %v3 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
  }
}
// optimal: 2 inplace=0; 4 inplace=0; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 refused=[used-later]; 9 inplace=0
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[engine]; 7 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[repeated-operand]; 5 refused=[used-later]; 6 refused=[used-later]; 7 refused=[used-later]; 8 inplace=0; 9 refused=[returned]
// transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
// pool optimal: 2 refused=[next-op-reuses]; 4 inplace=0; 5 reuse=0 refused=[taken]; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 inplace=0
// pool transpiler: 2 refused=[next-op-reuses]; 4 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 2 inplace=0; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[not-listed]
//   dnn.exp (v1): %v1 is not written over %x0: a later op already lives in that memory, as %v4, by dnn.slice_scatter at line 6 [next-op-reuses] | pool optimal, pool transpiler
//   dnn.exp (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.copy_into (v3): %v3 is not written over %v2: the same value is another operand too [repeated-operand] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.relu (v5): %v5 is not written over %v2: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v6): %v6 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.add (v7): %v7 is written over %v4, operand 0 | reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v8 is not written over %v1: it is returned [returned] | reinplace
//   dnn.exp (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.copy_into (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v5): %v5 is not written over %v2: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v5): %v5 is not written over %v2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v7): %v7 is not written over %v4: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v7): %v7 is not written over %v4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v8): %v8 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v3): %v2 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | transpiler, random transpiler
//   dnn.copy_into (v3): %v2 is copied into %v3, 32 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | paddle, nntrainer, reinplace, pool transpiler, random nntrainer
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 64 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 32 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v6): %v1 is copied into %v6, 64 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v6): %v3 is copied into %v6, 32 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v8): %v1 is copied into %v8, 64 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | reinplace
//   dnn.slice_scatter (v8): %v3 is copied into %v8, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | reinplace
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 64 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v1 is copied into %v6, 64 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v3 is copied into %v6, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v1 is copied into %v8, 64 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v3 is copied into %v8, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v8 is copied into the memory of result 0, 64 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (v1): %v1 is written over %x0, operand 0 | optimal, transpiler, random transpiler
//   dnn.copy_into (v3): %v3 is written over %v2, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %v4 is not written over %v1: the memory is used for another result [taken] | pool optimal
//   dnn.slice_scatter (v4): %v4 is written over %v1, operand 0 | optimal
//   dnn.relu (v5): %v5 is not written over %v2: it is read later, as %v1, by dnn.add at line 9 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v6): %v6 is written over %v1, operand 0 | optimal, pool optimal
//   dnn.add (v7): %v7 is not written over %v4: it is read later, as %v1, by dnn.slice_scatter at line 10 [used-later] | optimal
//   dnn.slice_scatter (v8): %v8 is written over %v1, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   func.return: %v2 is copied into the memory of result 1, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %v3 is copied into the memory of result 2, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
