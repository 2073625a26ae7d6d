builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.abs"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x4xf32>) {
      %v3 = "dnn.concat"(%x0, %v1) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      scf.yield %v2 : tensor<4x4xf32>
    }
    func.return %v4 : tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1
// paddle: 2 refused=[engine]; 5 refused=[control-flow]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]
// transpiler: 2 refused=[used-later]; 5 refused=[control-flow]
// pool optimal: 2 refused=[used-later]; 5 inplace=3; 6 parts=1
// pool transpiler: 2 refused=[used-later]; 5 refused=[control-flow]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none
// random transpiler: 2 refused=[used-later]; 5 refused=[control-flow]
//   dnn.abs (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.abs (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (v4): %v4 is not written over %x0: it is read again on another path or iteration [control-flow] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v4): %x0 is copied into %v4, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v1): %v1 is not written over %x0: it is read later, by scf.for at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v4): %v4 is written over %x0, operand 3 | optimal, pool optimal
//   dnn.concat (v3): %v1 computed in place in %v3 | optimal, pool optimal
//   dnn.concat (v3): %x0 is copied into %v3, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v3): %v1 is copied into %v3, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v4 is copied into the memory of result 0, 64 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
