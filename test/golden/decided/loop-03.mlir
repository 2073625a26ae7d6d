builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.copy"(%x0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v8, %v9 = scf.while (%v2 = %v1, %v3 = %v1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %v6 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v3, %v2 : tensor<2x2xf32>, tensor<2x2xf32>
    } do {
    ^bb0(%v4: tensor<2x2xf32>, %v5: tensor<2x2xf32>):
      %v7 = "dnn.reduce_sum"(%v5) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      scf.yield %v4, %v5 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    %v10 = "dnn.pad"(%v1) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
    %v11 = "dnn.add"(%v10, %v10) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v11 : tensor<4x2xf32>
  }
}
// optimal: 3 reuse=0,1 succ_reuse=[0,1] refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 8 parts=0; 9 inplace=0
// paddle: 3 refused=[used-later used-later]; 4 refused=[engine]; 6 refused=[kernel]; 9 refused=[engine]
// nntrainer: 2 inplace_mode=none; 3 refused=[used-later used-later] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 9 refused=[repeated-operand]
// transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 refused=[not-listed]
// pool optimal: 3 reuse=0,1 succ_reuse=[0,1] refused=[used-later used-later]; 4 refused=[program-input]; 6 refused=[kernel]; 8 parts=0; 9 inplace=0
// pool transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 refused=[used-later used-later] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 inplace=1 inplace_mode=none
// random transpiler: 3 refused=[used-later used-later]; 4 refused=[not-listed]; 6 refused=[kernel]; 9 inplace=1
//   scf.while (v8, v9): %v8 is not written over %v1: it is read later, by dnn.pad at line 12 [used-later] | all
//   scf.while (v8, v9): %v9 is not written over %v1: it is read later, by dnn.pad at line 12 [used-later] | all
//   dnn.add (v6): %v6 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v6): %v6 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v6): %v6 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.reduce_sum (v7): %v7 is not written over %v5: no kernel of this op writes over that operand [kernel] | all
//   dnn.add (v11): %v11 is written over %v10, operand 1 | random nntrainer, random transpiler
//   dnn.add (v11): %v11 is not written over %v10: the same value is another operand too [repeated-operand] | reinplace
//   dnn.add (v11): %v11 is not written over %v10: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v11): %v11 is not written over %v10: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.pad (v10): %v1 computed in place in %v10 | optimal, pool optimal
//   dnn.add (v11): %v11 is written over %v10, operand 0 | optimal, pool optimal
//   dnn.copy (v1): %x0 is copied into %v1, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.while (v8, v9): %v1 is copied into %v2, 16 bytes: it is read later, by dnn.pad at line 12 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | all
//   scf.while (v8, v9): %v1 is copied into %v3, 16 bytes: it is read later, by dnn.pad at line 12 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | all
//   scf.condition: %v3 is copied to a temporary, 16 bytes: values exchange their places, so one is copied to a temporary [cycle]; carry them in the same order | optimal, pool optimal
//   scf.condition: %v2 is copied into %v9, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v4 is copied into %v2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v5 is copied into %v3, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v3 is copied into %v8, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
