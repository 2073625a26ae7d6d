builtin.module {
  func.func @main(%x0: tensor<1x4xf32>, %x1: tensor<2x2xf32>, %c0: index) -> (tensor<2x2xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.add"(%x0, %x0) {dnn.engine = "cpu"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %2, %r4 = scf.while (%3 = %1, %r1 = %x0) : (index, tensor<1x4xf32>) -> (index, tensor<1x4xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0 : index, tensor<1x4xf32>
    } do {
    ^bb0(%5: index, %r2: tensor<1x4xf32>):
      %v3 = "dnn.greater_or_equal"(%x0, %v0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<1x4xf32>
    }
    %v5 = "dnn.softmax"(%x1) {axis = 1 : i64, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v5, %v0 : tensor<2x2xf32>, tensor<1x4xf32>
  }
}
// optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,0 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
// paddle: 4 refused=[engine]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[engine]
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
// transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
// pool optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,0 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
// pool transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
// random nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]
//   dnn.add (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v0): %v0 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   scf.while (r4): %r4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.greater_or_equal (v3): %v3 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.softmax (v5): %v5 is not written over %x1: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.softmax (v5): %v5 is not written over %x1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.softmax (v5): %v5 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.while (r4): %x0 is copied into %r1, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.condition: %v0 is copied into %r4, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v0 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
