builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.tanh"(%x0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v6 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.add"(%v3, %v3) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
      %v5 = "dnn.concat"(%v1, %v1) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
      scf.yield %v2 : tensor<2x2xf32>
    }
    %v7 = "dnn.slice"(%v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v8 = "dnn.concat"(%x0) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v8, %v1, %v6, %v7 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 inplace=3; 7 refused=[program-input]
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; 7 refused=[engine]
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 11 inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[program-input]
// transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]
// pool optimal: 2 refused=[program-input]; 5 inplace=3; 7 refused=[program-input]
// pool transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[restricting-input] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 11 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]
//   dnn.tanh (v1): %v1 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v1): %v1 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (v6): %v6 is not written over %v1: it is read again on another path or iteration [control-flow] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v3: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %v3: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.for (v6): %v1 is copied into %v6, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v6): %v6 is written over %v1, operand 3 | optimal, pool optimal
//   dnn.add (v4): %v4 is not written over %v3: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, pool optimal
//   dnn.concat (v5): %v1 is copied into %v5, 16 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v8): %x0 is copied into %v8, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   func.return: %v6 is copied into the memory of result 2, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
//   func.return: %v7 is copied into the memory of result 3, 8 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
