builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.abs"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.abs"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.slice"(%v1) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.fill"(%v4) {value = 1.000000e+00 : f32} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v7 = "dnn.abs"(%v5) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v8 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    func.return %v8, %v2 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[used-later]; 9 inplace=0
// paddle: 2 refused=[engine]; 3 refused=[engine]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0; 7 inplace=0; 8 refused=[returned]; 9 inplace=0
// transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 inplace=0; 8 inplace=0; 9 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 3 refused=[used-later]; 5 inplace=0 reuse=0; 6 inplace=0; 7 inplace=0; 8 reuse=0 refused=[used-later]; 9 inplace=0
// pool transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 7 inplace=0; 8 reuse=0 refused=[next-op-reuses]; 9 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 inplace=0; 8 inplace=0; 9 refused=[not-listed]
//   dnn.abs (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.abs (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.abs (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.abs (v2): %v2 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v5 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.abs (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | nntrainer
//   dnn.abs (v7): %v7 is not written over %v5: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v8): %v8 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v1 is copied into %v5, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v3 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v1 is copied into %v8, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v3 is copied into %v8, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v1): %v1 is not written over %x0: it is read later, by dnn.abs at line 4 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.abs (v2): %v2 is not written over %x0: it is read later, by dnn.slice_scatter at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is written over %v1, operand 0 | optimal, reinplace, pool optimal
//   dnn.fill (v6): %v6 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.abs (v7): %v7 is not written over %v5: a later op already lives in that memory, as %v7 [next-op-reuses] | pool transpiler
//   dnn.abs (v7): %v7 is written over %v5, operand 0 | transpiler, random nntrainer, random transpiler
//   dnn.abs (v7): %v7 is not written over %v5: it is returned [returned] | reinplace
//   dnn.abs (v7): %v7 is not written over %v5: it is read later, as %v1, by dnn.slice_scatter at line 10 [used-later] | optimal, pool optimal
//   dnn.slice_scatter (v8): %v8 is written over %v1, operand 0 | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 16 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | optimal, pool optimal
//   func.return: %v8 is copied into the memory of result 0, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
