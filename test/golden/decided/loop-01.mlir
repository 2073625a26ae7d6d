builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.tanh"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v9 = scf.for %i = %zero to %n step %one iter_args(%v3 = %x0) -> (tensor<4x4xf32>) {
      %v4 = "dnn.add"(%v1, %v3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %v5 = "dnn.sub"(%v1, %v4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %v6 = "dnn.concat"(%v3, %v4) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %v7 = "dnn.slice"(%v6) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<8x4xf32>) -> tensor<8x2xf32>
      %v8 = "dnn.relu"(%v7) : (tensor<8x2xf32>) -> tensor<8x2xf32>
      scf.yield %v4 : tensor<4x4xf32>
    }
    %v10 = "dnn.copy_into"(%v9, %v1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v10 : tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[control-flow]; 9 parts=1; 11 refused=[used-later]; 13 inplace=0
// paddle: 2 refused=[engine]; 3 refused=[engine]; 6 inplace=3; 7 refused=[engine]; 8 refused=[not-listed]; 11 refused=[engine]; 13 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 6 inplace=3 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=restricting; 13 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[used-later]; 11 inplace=0; 13 inplace=0
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[control-flow]; 9 parts=1; 11 refused=[used-later]; 13 inplace=0
// pool transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 6 inplace=3 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=restricting; 13 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 inplace=0
//   dnn.add (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.tanh (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v2): %v2 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.add (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.tanh (v2): %v2 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v1): %v1 is not written over %x0: it is read later, by dnn.tanh at line 4 [used-later] | optimal, pool optimal
//   dnn.tanh (v2): %v2 is not written over %x0: it is read later, by scf.for at line 7 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v9): %v9 is written over %x0, operand 3 | all
//   dnn.add (v4): %v4 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.sub (v5): %v5 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.add (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.sub (v5): %v5 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v8): %v8 is written over %v7, operand 0 | nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v8): %v8 is not written over %v7: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.copy_into (v10): %v10 is not written over %v9: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.add (v4): %v4 is not written over %v1: it is read later, by dnn.sub at line 9 [used-later] | optimal, pool optimal
//   dnn.sub (v5): %v5 is not written over %v1: it is read again on another path or iteration, by scf.yield at line 13 [control-flow] | optimal, pool optimal
//   dnn.concat (v6): %v4 computed in place in %v6 | optimal, pool optimal
//   dnn.relu (v8): %v8 is not written over %v7: it is read later, as %v4, by scf.yield at line 13 [used-later] | optimal, pool optimal
//   dnn.copy_into (v10): %v10 is written over %v9, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.concat (v6): %v3 is copied into %v6, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v6): %v4 is copied into %v6, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v4 is copied into %v9, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.copy_into (v10): %v1 is copied into %v10, 64 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.copy_into (v10): %v1 is copied into %v10, 64 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v10): %v1 is copied into %v10, 64 bytes: the op is not to run on oneDNN, which the strategy asks for [engine]; run `--placement-pass` before | paddle
//   func.return: %v10 is copied into the memory of result 0, 64 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, transpiler, pool transpiler
//   dnn.copy_into (v10): %v1 is copied into %v10, 64 bytes: it is read later, by dnn.tanh at line 4 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
