builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %c0: index) -> (tensor<2x2xf64>, tensor<2x2xf64> {dnn.tied = 0 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[0, -3], [-1, 2]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %v1 = "dnn.relu"(%v0) : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %v2 = "dnn.sigmoid"(%x0) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %2, %r9, %r10 = scf.while (%3 = %1, %r3 = %v0, %r4 = %v2) : (index, tensor<2x2xi32>, tensor<2x2xf64>) -> (index, tensor<2x2xi32>, tensor<2x2xf64>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0, %v2 : index, tensor<2x2xi32>, tensor<2x2xf64>
    } do {
    ^bb0(%5: index, %r5: tensor<2x2xi32>, %r6: tensor<2x2xf64>):
      %v7 = "dnn.relu"(%r6) : (tensor<2x2xf64>) -> tensor<2x2xf64>
      %v8 = "dnn.neg"(%r6) : (tensor<2x2xf64>) -> tensor<2x2xf64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r5, %v8 : index, tensor<2x2xi32>, tensor<2x2xf64>
    }
    %v11 = "dnn.matmul"(%v2, %r10) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    func.return %v11, %x0 : tensor<2x2xf64>, tensor<2x2xf64>
  }
}
// optimal: 5 refused=[constant]; 6 reuse=0 refused=[returned]; 7 inplace=-1,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,1] refused=[control-flow]; 10 refused=[used-later]; 11 reuse=1 refused=[control-flow]; 14 refused=[kernel]
// paddle: 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[constant control-flow]; 10 refused=[engine]; 11 refused=[not-listed]; 14 refused=[kernel]
// nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[constant control-flow] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[constant]; 6 refused=[program-input]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 inplace=0; 14 refused=[kernel]
// transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 inplace=0; 14 refused=[kernel]
// pool optimal: 5 refused=[constant]; 6 reuse=0 refused=[returned]; 7 inplace=-1,1,-1 reuse=-1,-1,0 succ_reuse=[-1,-1,1] refused=[control-flow]; 10 refused=[used-later]; 11 reuse=1 refused=[control-flow]; 14 refused=[kernel]
// pool transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 inplace=0; 14 refused=[kernel]
// random nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[returned] inplace_mode=none; 7 refused=[constant control-flow] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 14 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant control-flow]; 10 refused=[used-later]; 11 inplace=0; 14 refused=[kernel]
//   dnn.relu (v1): %v1 is not written over %v0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v1): %v1 is not written over %v0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.sigmoid (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle
//   scf.while (r9, r10): %r9 is not written over %v0: the operand is a constant [constant] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.sigmoid (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sigmoid (v2): %v2 is not written over %x0: it is returned, by func.return at line 19 [returned] | optimal, nntrainer, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   scf.while (r9, r10): %r9 is written over %v0, operand 1 | optimal, pool optimal
//   scf.while (r9, r10): %r10 is not written over %v2: it is read again on another path or iteration [control-flow] | all
//   dnn.relu (v7): %v7 is not written over %r6: it is read later [used-later] | reinplace
//   dnn.neg (v8): %v8 is written over %r6, operand 0 | reinplace, transpiler, pool transpiler, random transpiler
//   dnn.relu (v7): %v7 is not written over %r6: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v7): %v7 is not written over %r6: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.neg (v8): %v8 is not written over %r6: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.relu (v7): %v7 is not written over %r6: it is read later, by dnn.neg at line 14 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v8): %v8 is not written over %r6: it is read again on another path or iteration, as %v2, by scf.yield at line 16 [control-flow] | optimal, pool optimal
//   dnn.matmul (v11): %v11 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   scf.while (r9, r10): %v0 is copied into %r3, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.while (r9, r10): %v2 is copied into %r4, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.condition: %v0 is copied into %r9, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v2 is copied into %r10, 32 bytes: it is read again on another path or iteration, by scf.while at line 8 [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %r5 is copied into %r3, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v8 is copied into %r4, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
