builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %x1: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<4x2xf32> {
    %v1 = "dnn.neg"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v5 = scf.while (%v2 = %v1) : (tensor<4x2xf32>) -> tensor<4x2xf32> {
      scf.condition(%c) %v2 : tensor<4x2xf32>
    } do {
    ^bb0(%v3: tensor<4x2xf32>):
      %v4 = "dnn.gemm"(%v1, %x1, %x0) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v4 : tensor<4x2xf32>
    }
    %v6 = "dnn.mul"(%v1, %v5) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    func.return %v6 : tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[control-flow]; 5 reuse=0 refused=[control-flow]; 7 inplace=0
// paddle: 2 refused=[not-listed]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[control-flow] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[control-flow]; 5 refused=[program-input]; 7 inplace=0
// transpiler: 2 refused=[used-later]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]
// pool optimal: 2 refused=[used-later]; 3 reuse=0 succ_reuse=[0] refused=[control-flow]; 5 reuse=0 refused=[control-flow]; 7 inplace=0
// pool transpiler: 2 refused=[used-later]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[control-flow] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace=1 inplace_mode=none
// random transpiler: 2 refused=[used-later]; 3 refused=[control-flow]; 5 refused=[not-listed]; 7 inplace=1
//   dnn.neg (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.neg (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v1): %v1 is not written over %x0: it is read later, by scf.while at line 4 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.while (v5): %v5 is not written over %v1: it is read again on another path or iteration [control-flow] | all
//   dnn.gemm (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.gemm (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v6): %v6 is written over %v5, operand 1 | random nntrainer, random transpiler
//   dnn.mul (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.gemm (v4): %v4 is not written over %x0: it is read again on another path or iteration, by scf.yield at line 9 [control-flow] | optimal, pool optimal
//   dnn.mul (v6): %v6 is written over %v1, operand 0 | optimal, reinplace, pool optimal
//   scf.while (v5): %v1 is copied into %v2, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.condition: %v2 is copied into %v5, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v4): %x0 is copied into %v4, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   scf.yield: %v4 is copied into %v2, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
