builtin.module {
  func.func @main(%x0: tensor<6xf32>, %x1: tensor<3x4xf32>, %x2: tensor<3xf32>, %c0: i1) -> tensor<10xf32> {
    %v0 = "dnn.pad"(%x0) {pads = array<i64: 2, 2>, value = 1.500000e+00 : f32, dnn.engine = "cpu"} : (tensor<6xf32>) -> tensor<10xf32>
    %r3 = scf.if %c0 -> (tensor<6xf32>) {
      %v1 = "dnn.diagonal"(%x1) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
      %v2 = "dnn.neg"(%v1) : (tensor<3xf32>) -> tensor<3xf32>
      scf.yield %x0 : tensor<6xf32>
    } else {
      scf.yield %x0 : tensor<6xf32>
    }
    %v4 = "dnn.exp"(%r3) {dnn.engine = "cpu"} : (tensor<6xf32>) -> tensor<6xf32>
    cf.cond_br %c0, ^bb1(%x1, %v0 : tensor<3x4xf32>, tensor<10xf32>), ^bb2
  ^bb1(%r5: tensor<3x4xf32>, %r6: tensor<10xf32>):
    %v7 = "dnn.diagonal_scatter"(%r5, %x2) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
    %v8 = "dnn.silu"(%x2) : (tensor<3xf32>) -> tensor<3xf32>
    cf.br ^bb3(%x2 : tensor<3xf32>)
  ^bb2:
    %v9 = "dnn.reduce_mean"(%x1) {axes = array<i64: 1>, keepdims = true} : (tensor<3x4xf32>) -> tensor<3x1xf32>
    cf.br ^bb3(%x2 : tensor<3xf32>)
  ^bb3(%r10: tensor<3xf32>):
    func.return %v0 : tensor<10xf32>
  }
}
// optimal: 2 reuse=2; 3 reuse=0; 5 refused=[program-input]; 8 refused=[program-input]; 9 succ_reuse=[-1,2 ]; 10 inplace=0; 11 refused=[program-input]; 12 succ_reuse=[1]; 13 refused=[kernel]; 14 succ_reuse=[1]
// paddle: 5 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[engine]; 13 refused=[kernel]
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 13 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[program-input]; 8 inplace=0; 10 inplace=0; 11 refused=[program-input]; 13 refused=[kernel]
// transpiler: 5 refused=[program-input]; 8 inplace=0; 10 refused=[not-listed]; 11 refused=[program-input]; 13 refused=[kernel]
// pool optimal: 2 reuse=2; 3 reuse=0; 5 refused=[program-input]; 8 refused=[program-input]; 9 succ_reuse=[-1,2 ]; 10 inplace=0; 11 refused=[program-input]; 12 succ_reuse=[1]; 13 refused=[kernel]; 14 succ_reuse=[1]
// pool transpiler: 5 refused=[program-input]; 8 inplace=0; 10 refused=[not-listed]; 11 refused=[program-input]; 13 refused=[kernel]
// random nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 inplace=0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 13 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[program-input]; 8 inplace=0; 10 inplace=0; 11 refused=[program-input]; 13 refused=[kernel]
//   dnn.neg (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.exp (v4): %v4 is written over %r3, operand 0 | reinplace, transpiler, pool transpiler, random transpiler
//   dnn.neg (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.exp (v4): %v4 is not written over %r3: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.diagonal_scatter (v7): %v7 is not written over %r5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.silu (v8): %v8 is not written over %x2: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.silu (v8): %v8 is not written over %x2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.neg (v2): %v2 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x1 [program-input] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.exp (v4): %v4 is not written over %r3: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, pool optimal
//   dnn.diagonal_scatter (v7): %v7 is written over %r5, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.silu (v8): %v8 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.reduce_mean (v9): %v9 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   scf.yield: %x0 is copied into %r3, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   cf.cond_br: %x1 is copied into %r5, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   cf.cond_br: %v0 is copied into %r6, 40 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %r5 is copied into %v7, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.diagonal_scatter (v7): %x2 is copied into %v7, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   cf.br: %x2 is copied into %r10, 12 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.diagonal_scatter (v7): %x2 is copied into %v7, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
