builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<4x1xf32> {dnn.donated}, %x2: tensor<2x2xf32>, %c0: index) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.cumsum"(%x0) {axis = -2 : i64, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %r4 = scf.for %2 = %1 to %c0 step %0 iter_args(%r1 = %x0) -> (tensor<2x2xf32>) {
      %v2 = "dnn.exp"(%x1) : (tensor<4x1xf32>) -> tensor<4x1xf32>
      %v3 = "dnn.neg"(%r1) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %v3 : tensor<2x2xf32>
    }
    func.return %x0, %x2 : tensor<2x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0
// paddle: 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0
// transpiler: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0
// pool optimal: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0
// pool transpiler: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0
// random nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none
// random transpiler: 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[control-flow]; 7 inplace=0
//   dnn.cumsum (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.cumsum (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (r4): %r4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.exp (v2): %v2 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.exp (v2): %v2 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v3): %v3 is not written over %r1: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.exp (v2): %v2 is not written over %x1: it is read again on another path or iteration, by scf.yield at line 9 [control-flow] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v3): %v3 is written over %r1, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.for (r4): %x0 is copied into %r4, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %v3 is copied into %r4, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer
//   func.return: %x0 is copied into the memory of result 0, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %x2 is copied into the memory of result 1, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
