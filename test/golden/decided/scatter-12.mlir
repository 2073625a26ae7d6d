builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<1x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.add"(%v1, %v1) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    %v5 = "dnn.neg"(%v3) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.slice_scatter"(%v2, %v4) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    func.return %v6, %v4, %v5 : tensor<2x2xf32>, tensor<1x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]
// paddle: 3 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0; 7 inplace=0
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[not-listed]
// pool optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]
// pool transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[not-listed]
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v4): %v4 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.neg (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.slice_scatter (v6): %v6 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v4 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v2 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.add (v4): %v4 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, pool optimal
//   dnn.neg (v5): %v5 is written over %v3, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is written over %v2, operand 0 | reinplace
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v6): %v6 is not written over %v2: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, pool optimal
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, pool optimal
//   dnn.slice_scatter (v6): %v4 is copied into %v6, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
