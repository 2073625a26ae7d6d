builtin.module {
  func.func @main(%x0: tensor<2x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v5 = "dnn.mul"(%v3, %v4) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.copy"(%v2) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v6 : tensor<2x2xf32>
  }
}
// optimal: 3 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0
// paddle: 3 refused=[engine]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0
// transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]
// pool optimal: 3 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0 reuse=0
// pool transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 reuse=0 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 inplace_mode=none
// random transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0
//   dnn.relu (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.relu (v2): %v2 is not written over %v1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v1 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy (v6): %v2 is copied into %v6, 16 bytes: the op before is in place and restricts this one [restricting-input]; `strategy=optimal` has no modes | nntrainer, random nntrainer
//   dnn.copy (v6): %v2 is copied into %v6, 16 bytes: the op is not to run on oneDNN, which the strategy asks for [engine]; run `--placement-pass` before | paddle
//   dnn.relu (v2): %v2 is not written over %v1: it is read later, by dnn.slice_scatter at line 5 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.mul (v5): %v5 is written over %v3, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v1 is copied into %v3, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.copy (v6): %v2 is copied into %v6, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.copy (v6): %v2 is copied into %v6, 16 bytes: it is read later, by dnn.slice_scatter at line 5 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, transpiler, pool optimal, pool transpiler, random transpiler
