builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2, %v3 = "dnn.multiout"(%x0) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    %v4 = "dnn.slice"(%v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.fill"(%v5) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.slice_scatter"(%v3, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v9 = "dnn.gemm"(%v5, %v8, %v5) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v9 : tensor<2x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 refused=[repeated-operand]
// paddle: 2 refused=[engine]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=restricting; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[used-later]; 7 refused=[program-input]; 8 refused=[program-input]; 9 refused=[repeated-operand]
// transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 refused=[repeated-operand]
// pool transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=restricting; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[used-later]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]
//   dnn.add (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.fill (v6): %v6 is not written over %v5: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v7): %v7 is not written over %v3: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v5): %v5 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v6): %v6 is not written over %v5: it is read later, by dnn.gemm at line 10 [used-later] | transpiler, pool transpiler, random transpiler
//   dnn.fill (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.slice_scatter (v7): %v7 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v9): %v9 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v3 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v4 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v4 is copied into %v8, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x0: it is read later, by dnn.slice_scatter at line 6 [used-later] | optimal, pool optimal
//   dnn.slice_scatter (v5): %v5 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.fill (v6): %v6 is not written over %v5: it is read later, as %v3, by dnn.slice_scatter at line 8 [used-later] | optimal, pool optimal
//   dnn.slice_scatter (v7): %v7 is written over %v3, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v8): %v8 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.gemm (v9): %v9 is not written over %v5: the same value is another operand too [repeated-operand] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v5): %x0 is copied into %v5, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v5): %v4 is copied into %v5, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v7): %v3 is copied into %v7, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v7): %v4 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v8): %v4 is copied into %v8, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.gemm (v9): %v5 is copied into %v9, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
