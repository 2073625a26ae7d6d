builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.reduce_sum"(%v1) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v5 = "dnn.pad"(%v4) {pads = array<i64: 0, 0, 2, 0>} : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %v6 = "dnn.abs"(%v4) : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %v7 = "dnn.slice_scatter"(%x0, %v6) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    func.return %v7, %v6 : tensor<2x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 inplace=0; 5 refused=[kernel]; 6 parts=0; 7 inplace=0; 8 refused=[program-input]
// paddle: 2 refused=[engine]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 refused=[engine]; 8 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[program-input]
// transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]
// pool optimal: 2 refused=[program-input]; 4 inplace=0; 5 refused=[kernel]; 6 parts=0; 7 inplace=0; 8 refused=[program-input]
// pool transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[kernel]; 7 inplace=0; 8 refused=[not-listed]
//   dnn.add (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.reduce_sum (v4): %v4 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   dnn.abs (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v6): %v6 is not written over %v4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v7): %v7 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %x0 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v6 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.pad (v5): %v4 computed in place in %v5 | optimal, pool optimal
//   dnn.abs (v6): %v6 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v7): %v7 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v7): %x0 is copied into %v7, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v7): %v6 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   func.return: %v6 is copied into the memory of result 1, 8 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
