builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x8xf32> {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<4x4xf32>) {
      %v3 = "dnn.sub"(%v1, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v3 : tensor<4x4xf32>
    }
    %v5 = "dnn.concat"(%x0, %v1) {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %v6 = "dnn.slice"(%v5) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %v7 = "dnn.exp"(%v6) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    func.return %v7 : tensor<2x8xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 reuse=0 refused=[control-flow]; 6 reuse=0 refused=[control-flow]; 8 parts=1; 10 inplace=0
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 6 refused=[used-later]; 10 inplace=0
// transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0
// pool optimal: 2 refused=[used-later]; 5 reuse=0 refused=[control-flow]; 6 reuse=0 refused=[control-flow]; 8 parts=1; 10 inplace=0
// pool transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[control-flow]; 6 refused=[not-listed]; 10 inplace=0
//   dnn.add (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v1): %v1 is not written over %x0: it is read later, by scf.for at line 6 [used-later] | optimal, pool optimal
//   scf.for (v4): %v4 is not written over %v1: it is read again on another path or iteration [control-flow] | all
//   dnn.sub (v3): %v3 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.sub (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.exp (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.sub (v3): %v3 is not written over %v1: it is read again on another path or iteration, by scf.yield at line 8 [control-flow] | optimal, pool optimal
//   dnn.concat (v5): %v1 computed in place in %v5 | optimal, pool optimal
//   dnn.exp (v7): %v7 is written over %v6, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.for (v4): %v1 is copied into %v4, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v3 is copied into %v4, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v5): %x0 is copied into %v5, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v5): %v1 is copied into %v5, 64 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v7 is copied into the memory of result 0, 64 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
