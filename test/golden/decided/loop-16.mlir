builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %v1 = "dnn.neg"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x4xf32>) {
      %v3 = "dnn.fill"(%v1) {value = 1.000000e+00 : f32} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v3 : tensor<4x4xf32>
    }
    %v5 = "dnn.tanh"(%v4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v6 = "dnn.sub"(%v5, %v4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v6, %v5 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=3; 6 reuse=0 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]
// paddle: 2 refused=[not-listed]; 5 inplace=3; 6 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 inplace=3 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 inplace=3; 6 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]
// transpiler: 2 refused=[used-later]; 5 inplace=3; 6 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 5 inplace=3; 6 reuse=0 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[returned]
// pool transpiler: 2 refused=[used-later]; 5 inplace=3; 6 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 inplace=3 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[used-later]; 5 inplace=3; 6 refused=[control-flow]; 8 refused=[used-later]; 9 refused=[not-listed]
//   dnn.neg (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.neg (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v1): %v1 is not written over %x0: it is read later, by scf.for at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (v4): %v4 is written over %x0, operand 3 | all
//   dnn.fill (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.tanh (v5): %v5 is not written over %v4: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v5): %v5 is not written over %v4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.sub (v6): %v6 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v3 is copied into %v4, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v3): %v3 is not written over %v1: it is read again on another path or iteration, by scf.yield at line 8 [control-flow] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.tanh (v5): %v5 is not written over %v4: it is read later [used-later] | reinplace
//   dnn.sub (v6): %v6 is not written over %v5: it is returned [returned] | reinplace
//   dnn.tanh (v5): %v5 is not written over %v4: it is read later, by dnn.sub at line 11 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.sub (v6): %v6 is not written over %v5: it is returned, by func.return at line 12 [returned] | optimal, pool optimal
