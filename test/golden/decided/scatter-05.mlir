builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.exp"(%x0) {dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v3 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.add"(%v2, %v2) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %v6 = "dnn.slice_scatter"(%x0, %v5) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v7 = "dnn.copy"(%v3) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v7, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0
// paddle: 2 refused=[not-listed]; 4 refused=[engine]; 5 refused=[not-listed]; 6 refused=[engine]; 7 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[program-input]; 7 refused=[program-input]
// transpiler: 2 refused=[used-later]; 4 inplace=0; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// pool optimal: 2 reuse=0 refused=[used-later]; 4 refused=[next-op-reuses]; 5 reuse=0 refused=[taken]; 6 inplace=0; 7 inplace=0; 8 reuse=1
// pool transpiler: 2 reuse=0 refused=[used-later]; 4 refused=[next-op-reuses]; 5 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none
// random transpiler: 2 refused=[used-later]; 4 inplace=0; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
//   dnn.exp (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.exp (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.relu (v3): %v3 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v5): %v5 is not written over %v2: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v5): %v5 is not written over %v2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v6): %v6 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %x0 is copied into %v6, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v5 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy (v7): %v3 is copied into %v7, 32 bytes: the op is not to run on oneDNN, which the strategy asks for [engine]; run `--placement-pass` before | paddle
//   func.return: %v7 is copied into the memory of result 0, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (v1): %v1 is not written over %x0: it is read later, by dnn.slice_scatter at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.relu (v3): %v3 is not written over %v1: a later op already lives in that memory, as %v4, by dnn.slice_scatter at line 6 [next-op-reuses] | pool optimal, pool transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the memory is used for another result [taken] | pool optimal
//   dnn.relu (v3): %v3 is written over %v1, operand 0 | optimal, nntrainer, reinplace, transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v5): %v5 is not written over %v2: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v6): %v6 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v6): %x0 is copied into %v6, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v6): %v5 is copied into %v6, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal
//   dnn.add (v5): %v5 is written over %v2, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v6): %v6 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   dnn.copy (v7): %v3 is copied into %v7, 32 bytes: a later op already lives in that memory, by dnn.slice_scatter at line 6 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal, pool transpiler
//   dnn.copy (v7): %v3 is copied into %v7, 32 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | optimal, nntrainer, reinplace, transpiler, random nntrainer, random transpiler
