builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.tanh"(%x0) {dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.concat"(%v1, %x0) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.sum"(%x0, %x0, %v1) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.slice_scatter"(%v5, %v2) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    func.return %v6 : tensor<2x4xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 inplace=0; 5 parts=0; 6 refused=[program-input]; 7 inplace=0
// paddle: 2 refused=[engine]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0
// transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// pool optimal: 2 refused=[program-input]; 4 inplace=0; 5 parts=0; 6 refused=[program-input]; 7 inplace=0
// pool transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
//   dnn.tanh (v1): %v1 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sum (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v4): %v1 is copied into %v4, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.concat (v4): %v1 computed in place in %v4 | optimal, pool optimal
//   dnn.sum (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v6): %v6 is written over %v5, operand 0 | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.concat (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.slice_scatter (v6): %v5 is copied into %v6, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
