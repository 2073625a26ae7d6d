builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %x1: tensor<1xf64>) -> tensor<2xf64> {
    %v0 = "dnn.tanh"(%x0) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %v1 = "dnn.select"(%x0) {dim = 1 : i64, index = -1 : i64, dnn.engine = "cpu"} : (tensor<2x2xf64>) -> tensor<2xf64>
    %v2 = "dnn.sqrt"(%v1) : (tensor<2xf64>) -> tensor<2xf64>
    %v3 = "dnn.transpose"(%v2) {perm = array<i64: 0>} : (tensor<2xf64>) -> tensor<2xf64>
    %v4 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2xf64>) -> tensor<2xf64>
    %v5 = "dnn.diagonal_scatter"(%v0, %x1) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xf64>, tensor<1xf64>) -> tensor<2x2xf64>
    %v6 = "dnn.reshape"(%x1) : (tensor<1xf64>) -> tensor<1xf64>
    %v7 = "dnn.sub"(%v6, %v4) : (tensor<1xf64>, tensor<2xf64>) -> tensor<2xf64>
    %v8 = "dnn.slice"(%v2) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
    %v9 = "dnn.neg"(%v8) : (tensor<2xf64>) -> tensor<2xf64>
    func.return %v9 : tensor<2xf64>
  }
}
// optimal: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 inplace=1; 11 inplace=0
// paddle: 2 refused=[engine]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 refused=[broadcast]; 11 inplace=0
// transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 inplace=0
// pool optimal: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 inplace=1; 11 inplace=0
// pool transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 inplace=0
// random nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none; 8 inplace_mode=none; 9 inplace=1 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 inplace=1; 11 inplace=0
//   dnn.tanh (v0): %v0 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.sqrt (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.tanh (v0): %v0 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.sqrt (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.scale (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.diagonal_scatter (v5): %v5 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.sub (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.neg (v9): %v9 is not written over %v8: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.diagonal_scatter (v5): %v0 is copied into %v5, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.diagonal_scatter (v5): %x1 is copied into %v5, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.tanh (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.sqrt (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.scale (v4): %v4 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sqrt (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.scale (v4): %v4 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.diagonal_scatter (v5): %v5 is written over %v0, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.sub (v7): %v7 is not written over %v6: the operand is broadcast: one of its elements is read for several of the result (8 bytes, 16 wanted) [broadcast] | reinplace
//   dnn.sub (v7): %v7 is written over %v4, operand 1 | optimal, pool optimal, random nntrainer, random transpiler
//   dnn.neg (v9): %v9 is written over %v8, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v5): %x1 is copied into %v5, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
