builtin.module {
  func.func @main(%x0: tensor<6xf32> {dnn.donated}, %c0: index) -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[-5.000000e-01, 2.500000e+00, -1.500000e+00, 1.500000e+00, -1.500000e+00, 2.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v1 = "dnn.zeros"(%v0) : (tensor<6xf32>) -> tensor<6xf32>
    %v2 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<6xf32>) -> tensor<6xf32>
    cf.br ^bb1(%1, %v2 : index, tensor<6xf32>)
  ^bb1(%2: index, %r3: tensor<6xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r5 = scf.for %4 = %1 to %c0 step %0 iter_args(%r4 = %r3) -> (tensor<6xf32>) {
      scf.yield %x0 : tensor<6xf32>
    }
    %v6 = "dnn.abs"(%r3) : (tensor<6xf32>) -> tensor<6xf32>
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5, %v6 : index, tensor<6xf32>)
  ^bb3:
    func.return %x0, %r3 : tensor<6xf32>, tensor<6xf32>
  }
}
// optimal: 5 reuse=0 refused=[constant]; 6 inplace=0; 7 succ_reuse=[-1,0]; 10 refused=[used-later]; 12 inplace=0; 14 succ_reuse=[-1,0]
// paddle: 5 refused=[not-listed]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 refused=[engine]
// nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 10 refused=[used-later] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[constant]; 6 refused=[not-listed]; 10 refused=[used-later]; 12 refused=[returned]
// transpiler: 5 refused=[constant]; 6 inplace=0; 10 refused=[used-later]; 12 inplace=0
// pool optimal: 5 reuse=0 refused=[constant]; 6 inplace=0; 7 succ_reuse=[-1,0]; 10 refused=[used-later]; 12 inplace=0; 14 succ_reuse=[-1,0]
// pool transpiler: 5 refused=[constant]; 6 inplace=0; 10 refused=[used-later]; 12 inplace=0
// random nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 10 refused=[used-later] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[constant]; 6 inplace=0; 10 refused=[used-later]; 12 inplace=0
//   dnn.zeros (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.scale (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, random nntrainer
//   dnn.zeros (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.scale (v2): %v2 is written over %v1, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (r5): %r5 is not written over %r3: it is read later, by dnn.abs at line 16 [used-later] | all
//   dnn.abs (v6): %v6 is not written over %r3: it is returned [returned] | reinplace
//   dnn.abs (v6): %v6 is not written over %r3: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.abs (v6): %v6 is not written over %r3: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   cf.br: %v2 is copied into %r3, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.abs (v6): %v6 is written over %r3, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (r5): %r3 is copied into %r5, 24 bytes: it is read later, by dnn.abs at line 16 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | all
//   scf.yield: %x0 is copied into %r5, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %v6 is copied into %r3, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, random nntrainer
