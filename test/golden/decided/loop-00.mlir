builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> tensor<4x4xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v7, %v8 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1, %v3 = %v1) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %v4 = "dnn.concat"(%x0, %x0, %v1) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<12x4xf32>
      %v5 = "dnn.slice"(%v4) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<12x4xf32>) -> tensor<2x4xf32>
      %v6 = "dnn.abs"(%v5) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v2, %v2 : tensor<4x4xf32>, tensor<4x4xf32>
    }
    %v9 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v9 : tensor<4x4xf32>
  }
}
// optimal: 5 inplace=3,4; 8 inplace=0; 10 refused=[program-input]
// paddle: 5 refused=[program-input program-input]; 8 refused=[engine]; 10 refused=[engine]
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[program-input]
// transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]
// pool optimal: 5 inplace=3,4; 8 inplace=0; 10 refused=[program-input]
// pool transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 5 refused=[program-input program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[program-input program-input]; 8 inplace=0; 10 refused=[not-listed]
//   scf.for (v7, v8): %v7 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v7, v8): %v8 is not written over %v1: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.add (v9): %v9 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v6): %v6 is not written over %v5: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v9): %v9 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (v7, v8): %v1 is copied into %v7, 64 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v7, v8): %v1 is copied into %v8, 64 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v7, v8): %v7 is written over %v1, operand 3 | optimal, pool optimal
//   scf.for (v7, v8): %v8 is written over %v1, operand 4 | optimal, pool optimal
//   dnn.abs (v6): %v6 is written over %v5, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.add (v9): %v9 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.concat (v4): %x0 is copied into %v4, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v4): %v1 is copied into %v4, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   scf.yield: %v2 is copied into %v8, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
