builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %x1: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.sum"(%x0, %x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v4 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<4x2xf32>) {
      %v3 = "dnn.gemm"(%v1, %x1, %x0) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v3 : tensor<4x2xf32>
    }
    %v5 = "dnn.concat"(%x1, %x1) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.neg"(%v4) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v1 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 reuse=0 refused=[program-input]; 6 reuse=0 refused=[program-input]; 9 inplace=0
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 9 inplace=0
// transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 inplace=0
// pool optimal: 2 refused=[program-input]; 5 reuse=0 refused=[program-input]; 6 reuse=0 refused=[program-input]; 9 inplace=0
// pool transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 inplace=0
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 9 inplace=0
//   dnn.sum (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sum (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   scf.for (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.gemm (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.gemm (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.neg (v6): %v6 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.for (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.gemm (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %v3 is copied into %v4, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v5): %x1 is copied into %v5, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
