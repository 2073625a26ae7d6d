builtin.module {
  func.func @main(%x0: tensor<4x1xf64>, %x1: tensor<1x6xf64>, %x2: tensor<2x6xf64>, %c0: index) -> (tensor<1x6xf64>, tensor<1x6xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<-5.000000e-01> : tensor<1xf64>} : () -> tensor<1xf64>
    %v1, %v2, %v3 = "dnn.layer_norm"(%x0, %v0) {axis = -1 : i64} : (tensor<4x1xf64>, tensor<1xf64>) -> (tensor<4x1xf64>, tensor<4x1xf64>, tensor<4x1xf64>)
    %v4 = "dnn.expand"(%v1) : (tensor<4x1xf64>) -> tensor<4x3xf64>
    %r8 = scf.for %2 = %1 to %c0 step %0 iter_args(%r5 = %v1) -> (tensor<4x1xf64>) {
      %v6 = "dnn.zeros"() : () -> tensor<4x3xf64>
      %v7 = "dnn.abs"(%r5) : (tensor<4x1xf64>) -> tensor<4x1xf64>
      scf.yield %v7 : tensor<4x1xf64>
    }
    %v9 = "dnn.diagonal"(%r8) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<4x1xf64>) -> tensor<1xf64>
    %v10 = "dnn.relu"(%v9) : (tensor<1xf64>) -> tensor<1xf64>
    %v11 = "dnn.constant"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v12 = "dnn.gru"(%x1, %x2, %x1, %v11) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<1x6xf64>, tensor<2x6xf64>, tensor<1x6xf64>, tensor<2xi64>) -> tensor<1x2xf64>
    func.return %x1, %x1 : tensor<1x6xf64>, tensor<1x6xf64>
  }
}
// optimal: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
// paddle: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 refused=[engine]; 12 refused=[engine]; 14 refused=[kernel]
// nntrainer: 5 refused=[not-listed kernel kernel] inplace_mode=none; 6 inplace_mode=none; 7 inplace=3 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=restricting; 14 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
// transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
// pool optimal: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
// pool transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
// random nntrainer: 5 refused=[not-listed kernel kernel] inplace_mode=none; 6 inplace_mode=none; 7 inplace=3 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=restricting; 14 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]
//   dnn.layer_norm (v1, v2, v3): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.layer_norm (v1, v2, v3): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.layer_norm (v1, v2, v3): %v2 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.layer_norm (v1, v2, v3): %v3 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   scf.for (r8): %r8 is written over %v1, operand 3 | all
//   dnn.abs (v7): %v7 is not written over %r5: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v7): %v7 is not written over %r5: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.relu (v10): %v10 is not written over %v9: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.abs (v7): %v7 is written over %r5, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.relu (v10): %v10 is written over %v9, operand 0 | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.gru (v12): %v12 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   scf.yield: %v7 is copied into %r8, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, random nntrainer
//   func.return: %x1 is copied into the memory of result 0, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %x1 is copied into the memory of result 1, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
