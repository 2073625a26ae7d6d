builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.tanh"(%v1) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v3 = "dnn.add"(%v2, %v2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v4 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.gemm"(%x1, %x0, %v3) : (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v7 = "dnn.slice"(%v4) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<1x4xf32>) -> tensor<1x2xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    func.return %v8 : tensor<2x4xf32>
  }
}
// optimal: 3 inplace=0; 4 inplace=0; 6 inplace=0; 7 inplace=2; 9 inplace=0
// paddle: 3 refused=[engine]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 inplace=0 inplace_mode=restricting; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 3 inplace=0; 4 refused=[repeated-operand]; 6 refused=[program-input]; 7 inplace=2; 9 refused=[program-input]
// transpiler: 3 inplace=0; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]
// pool optimal: 2 reuse=0; 3 inplace=0 reuse=0; 4 inplace=0 reuse=0; 6 inplace=0; 7 inplace=2 reuse=0; 9 inplace=0
// pool transpiler: 2 reuse=0; 3 reuse=1 refused=[next-op-reuses]; 4 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 7 reuse=1 refused=[not-listed]; 9 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 inplace=0 inplace_mode=restricting; 4 inplace=1 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 3 inplace=0; 4 inplace=1; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]
//   dnn.tanh (v2): %v2 is not written over %v1: a later op already lives in that memory, as %v2 [next-op-reuses] | pool transpiler
//   dnn.tanh (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v3): %v3 is not written over %v2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v6): %v6 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v2): %v2 is written over %v1, operand 0 | optimal, nntrainer, reinplace, transpiler, pool optimal, random nntrainer, random transpiler
//   dnn.add (v3): %v3 is written over %v2, operand 1 | random nntrainer, random transpiler
//   dnn.add (v3): %v3 is not written over %v2: the same value is another operand too [repeated-operand] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v3): %v3 is written over %v2, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.gemm (v6): %v6 is written over %v3, operand 2 | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v8): %v8 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.concat (v1): %x0 is copied into %v1, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v8): %v4 is copied into %v8, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v6): %v3 is copied into %v6, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v4 is copied into %v8, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v8 is copied into the memory of result 0, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
