builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v7, %v8 = scf.while (%v2 = %x0, %v3 = %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      scf.condition(%c) %v3, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      %v6 = "dnn.abs"(%v4) : (tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v5, %v6 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v9 = "dnn.add"(%v8, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v9 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[kernel]; 3 reuse=1,0 succ_reuse=[0,1] refused=[program-input program-input]; 5 inplace=0; 7 inplace=0
// paddle: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 refused=[engine]; 7 refused=[engine]
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 refused=[program-input program-input] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 inplace=0
// transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]
// pool optimal: 2 refused=[kernel]; 3 reuse=1,0 succ_reuse=[0,1] refused=[program-input program-input]; 5 inplace=0; 7 inplace=0
// pool transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]
// random nntrainer: 2 refused=[kernel] inplace_mode=none; 3 refused=[program-input program-input] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[kernel]; 3 refused=[program-input program-input]; 5 inplace=0; 7 refused=[not-listed]
//   dnn.opaque (v1): %v1 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   scf.while (v7, v8): %v7 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   scf.while (v7, v8): %v8 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | all
//   dnn.abs (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.add (v9): %v9 is not written over %v8: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v6): %v6 is not written over %v4: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v9): %v9 is not written over %v8: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.abs (v6): %v6 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.add (v9): %v9 is written over %v8, operand 0 | optimal, reinplace, pool optimal
//   scf.while (v7, v8): %x0 is copied into %v2, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.while (v7, v8): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.condition: %v3 is copied into %v7, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v3 is copied into %v8, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v5 is copied into %v2, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v6 is copied into %v3, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
