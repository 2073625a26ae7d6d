builtin.module {
  func.func @main(%c0: index, %c1: i1) -> (tensor<4xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[3.500000e+00, -5.000000e-01, 2.500000e+00, 5.000000e-01]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v1 = "dnn.stack"(%v0) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1x4xf32>
    %2, %r9 = scf.while (%3 = %1, %r2 = %v1) : (index, tensor<1x4xf32>) -> (index, tensor<4xf32>) {
      %v3 = "dnn.copy_into"(%v0, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v3 : index, tensor<4xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<4xf32>):
      %r6, %r7 = scf.if %c1 -> (tensor<4xf32>, tensor<1x4xf32>) {
        scf.yield %r4, %v1 : tensor<4xf32>, tensor<1x4xf32>
      } else {
        %v5 = "dnn.select"(%r4) {dim = 0 : i64, index = 2 : i64, dnn.engine = "cpu"} : (tensor<4xf32>) -> tensor<f32>
        scf.yield %r4, %v1 : tensor<4xf32>, tensor<1x4xf32>
      }
      %v8 = "dnn.less_or_equal"(%r7, %r7) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r7 : index, tensor<1x4xf32>
    }
    func.return %r9, %v1 : tensor<4xf32>, tensor<1x4xf32>
  }
}
// optimal: 5 reuse=1; 6 reuse=-1,0 succ_reuse=[-1,1]; 7 inplace=0; 10 reuse=0,1; 14 refused=[kernel]
// paddle: 7 refused=[not-listed]; 14 refused=[kernel]
// nntrainer: 5 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 inplace_mode=none; 14 refused=[kernel] inplace_mode=none
// reinplace: 7 refused=[constant]; 14 refused=[kernel]
// transpiler: 7 refused=[not-listed]; 14 refused=[kernel]
// pool optimal: 5 reuse=1; 6 reuse=-1,0 succ_reuse=[-1,1]; 7 inplace=0; 10 reuse=0,1; 14 refused=[kernel]
// pool transpiler: 7 refused=[not-listed]; 14 refused=[kernel]
// random nntrainer: 5 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 inplace_mode=none; 14 refused=[kernel] inplace_mode=none
// random transpiler: 7 refused=[not-listed]; 14 refused=[kernel]
//   dnn.copy_into (v3): %v3 is not written over %v0: the operand is a constant [constant] | reinplace
//   dnn.copy_into (v3): %v3 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v3): %v3 is written over %v0, operand 0 | optimal, pool optimal
//   dnn.less_or_equal (v8): %v8 is not written over %r7: no kernel of this op writes over that operand [kernel] | all
//   dnn.stack (v1): %v0 is copied into %v1, 16 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | all
//   scf.while (r9): %v1 is copied into %r2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v3): %v0 is copied into %v3, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v3 is copied into %r9, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %r4 is copied into %r6, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   scf.yield: %v1 is copied into %r7, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   scf.yield: %r7 is copied into %r2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v3 is copied into %r9, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, pool optimal
