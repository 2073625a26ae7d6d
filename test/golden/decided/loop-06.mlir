builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> (tensor<1x4xf32>, tensor<2x4xf32>) {
    %v1 = "dnn.copy_into"(%x0, %x0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x4xf32>) {
      %v3 = "dnn.concat"(%x0, %v2) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %v4 = "dnn.concat"(%v3) {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v2 : tensor<2x4xf32>
    }
    %v6 = "dnn.copy"(%x0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v7 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    func.return %v7, %v6 : tensor<1x4xf32>, tensor<2x4xf32>
  }
}
// optimal: 2 inplace=0; 5 inplace=3; 7 parts=0
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]
// transpiler: 2 refused=[not-listed]; 5 refused=[program-input]
// pool optimal: 2 inplace=0; 5 inplace=3; 7 parts=0
// pool transpiler: 2 refused=[not-listed]; 5 refused=[program-input]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[program-input]
//   dnn.copy_into (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.copy_into (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v1): %x0 is copied into %v1, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (v5): %x0 is copied into %v5, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v1): %v1 is written over %x0, operand 0 | optimal, pool optimal
//   scf.for (v5): %v5 is written over %x0, operand 3 | optimal, pool optimal
//   dnn.concat (v4): %v3 computed in place in %v4 | optimal, pool optimal
//   dnn.concat (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v3): %v2 is copied into %v3, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v4): %v3 is copied into %v4, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v3): %v2 is copied into %v3, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, pool optimal
//   dnn.copy (v6): %x0 is copied into %v6, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v7 is copied into the memory of result 0, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
