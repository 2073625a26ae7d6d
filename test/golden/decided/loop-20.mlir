builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<1x4xf32> {
    %v1 = "dnn.reduce_sum"(%x0) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %v7, %v8 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x4xf32>, tensor<1x4xf32>) -> (tensor<4x4xf32>, tensor<1x4xf32>) {
      scf.condition(%c) %v2, %v3 : tensor<4x4xf32>, tensor<1x4xf32>
    } do {
    ^bb0(%v4: tensor<4x4xf32>, %v5: tensor<1x4xf32>):
      %v6 = "dnn.relu"(%x0) {dnn.engine = "cpu"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v4, %v5 : tensor<4x4xf32>, tensor<1x4xf32>
    }
    func.return %v8 : tensor<1x4xf32>
  }
}
// optimal: 2 refused=[kernel]; 3 inplace=0,1; 5 refused=[control-flow]
// paddle: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[engine]
// nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace=-1,1 refused=[control-flow] inplace_mode=none; 5 refused=[restricting-input] inplace_mode=none
// reinplace: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[program-input]
// transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]
// pool optimal: 2 refused=[kernel]; 3 inplace=0,1; 5 refused=[control-flow]
// pool transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]
// random nntrainer: 2 refused=[kernel] inplace_mode=none; 3 inplace=-1,1 refused=[control-flow] inplace_mode=none; 5 refused=[restricting-input] inplace_mode=none
// random transpiler: 2 refused=[kernel]; 3 inplace=-1,1 refused=[control-flow]; 5 refused=[control-flow]
//   dnn.reduce_sum (v1): %v1 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   scf.while (v7, v8): %v7 is written over %x0, operand 0 | optimal, pool optimal
//   scf.while (v7, v8): %v8 is written over %v1, operand 1 | all
//   scf.while (v7, v8): %v7 is not written over %x0: it is read again on another path or iteration [control-flow] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v6): %v6 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.relu (v6): %v6 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v6): %v6 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   scf.while (v7, v8): %x0 is copied into %v2, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v2 is copied into %v7, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v4 is copied into %v2, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v6): %v6 is not written over %x0: it is read again on another path or iteration, by scf.yield at line 9 [control-flow] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
