builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32> {dnn.tied = 0 : i32}, tensor<2x2xf32>) {
    %v1 = "dnn.sub"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v3 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.slice_scatter"(%v4, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.copy"(%v4) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v1 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 4 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0
// paddle: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[used-later]; 7 refused=[program-input]
// transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// pool optimal: 2 refused=[repeated-operand]; 4 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 reuse=0
// pool transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 4 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
//   dnn.sub (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.fill (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %v4: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v6): %v6 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 16 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v5): %v2 is copied into %v5, 8 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v6): %x0 is copied into %v6, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.copy (v7): %v4 is copied into %v7, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.sub (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v5 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v2 is copied into %v5, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %x0 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy (v7): %v4 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v7 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sub (v1): %v1 is not written over %x0: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   dnn.fill (v3): %v3 is not written over %x0: it is read later, by dnn.slice_scatter at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is written over %v4, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v6): %v6 is written over %x0, operand 0 | optimal, pool optimal
