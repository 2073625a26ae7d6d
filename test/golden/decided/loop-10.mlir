builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x4xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.mul"(%v2, %v2) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v4 : tensor<2x2xf32>
    }
    %v6 = "dnn.mul"(%v1, %v1) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %v6, %v5 : tensor<2x4xf32>, tensor<2x2xf32>
  }
}
// optimal: 5 refused=[program-input]; 7 inplace=0; 9 inplace=0
// paddle: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[program-input]; 7 refused=[repeated-operand]; 9 refused=[repeated-operand]
// transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]
// pool optimal: 5 refused=[program-input]; 7 inplace=0; 9 inplace=0
// pool transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace=1 inplace_mode=none
// random transpiler: 5 refused=[program-input]; 7 refused=[not-listed]; 9 inplace=1
//   scf.for (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.mul (v4): %v4 is not written over %v2: the same value is another operand too [repeated-operand] | reinplace
//   dnn.mul (v6): %v6 is not written over %v1: the same value is another operand too [repeated-operand] | reinplace
//   dnn.mul (v4): %v4 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v6): %v6 is written over %v1, operand 1 | random nntrainer, random transpiler
//   dnn.mul (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.mul (v4): %v4 is written over %v2, operand 0 | optimal, pool optimal
//   dnn.mul (v6): %v6 is written over %v1, operand 0 | optimal, pool optimal
//   dnn.concat (v1): %x0 is copied into %v1, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   scf.for (v5): %x0 is copied into %v5, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %v4 is copied into %v5, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
