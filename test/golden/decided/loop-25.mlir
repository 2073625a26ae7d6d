builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.tanh"(%x0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v2 = "dnn.fill"(%x0) {value = 1.000000e+00 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v7 = scf.for %i = %zero to %n step %one iter_args(%v3 = %v2) -> (tensor<2x4xf32>) {
      %v4 = "dnn.reduce_sum"(%v3) {axes = array<i64: 0>, keepdims = true} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      %v5 = "dnn.exp"(%v3) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %v6 = "dnn.tanh"(%v3) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v6 : tensor<2x4xf32>
    }
    %v8 = "dnn.concat"(%x0, %v1) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v9 = "dnn.slice"(%v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    func.return %v9 : tensor<2x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 11 parts=1
// paddle: 2 refused=[engine]; 3 refused=[not-listed]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[engine]
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0
// transpiler: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0
// pool optimal: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0; 11 parts=1
// pool transpiler: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0
// random nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[returned]; 7 refused=[kernel]; 8 refused=[used-later]; 9 inplace=0
//   dnn.tanh (v1): %v1 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.fill (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.tanh (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.fill (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v7): %v7 is not written over %v2: it is returned, as %v9, by func.return at line 15 [returned] | all
//   dnn.reduce_sum (v4): %v4 is not written over %v3: no kernel of this op writes over that operand [kernel] | all
//   dnn.exp (v5): %v5 is not written over %v3: it is read later [used-later] | reinplace
//   dnn.exp (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.tanh (v6): %v6 is not written over %v3: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v6): %v6 is not written over %v3: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.exp (v5): %v5 is not written over %v3: it is read later, by dnn.tanh at line 10 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.tanh (v6): %v6 is written over %v3, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v8): %v1 computed in place in %v8 | optimal, pool optimal
//   scf.for (v7): %v2 is copied into %v7, 32 bytes: it is returned, by func.return at line 15 [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   scf.yield: %v6 is copied into %v7, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, random nntrainer
//   dnn.concat (v8): %x0 is copied into %v8, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v8): %v1 is copied into %v8, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v9 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
