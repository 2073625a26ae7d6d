builtin.module {
  func.func @main(%x0: tensor<4xi64>, %x1: tensor<2x1x3xf64> {dnn.donated}, %x2: tensor<2x1x3xi1>, %c0: i1) -> (tensor<4xi64>, tensor<4xi64>) {
    %v0 = "dnn.constant"() {value = dense<[[-1, -3, -2, 2], [-3, -2, -3, -3], [-2, -3, -1, 0]]> : tensor<3x4xi64>} : () -> tensor<3x4xi64>
    %v1 = "dnn.select"(%v0) {dim = 0 : i64, index = 2 : i64} : (tensor<3x4xi64>) -> tensor<4xi64>
    %r2 = "strange.op"(%v1) : (tensor<4xi64>) -> tensor<4xi64>
    cf.cond_br %c0, ^bb1, ^bb2
  ^bb1:
    %v3 = "dnn.less_or_equal"(%x0, %v1) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    cf.br ^bb3(%r2 : tensor<4xi64>)
  ^bb2:
    %v4 = "dnn.transpose"(%r2) {perm = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xi64>
    %v5 = "dnn.sqrt"(%x1) : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    cf.br ^bb3(%v4 : tensor<4xi64>)
  ^bb3(%r6: tensor<4xi64>):
    %v7 = "dnn.concat"(%x1, %x1) {axis = 1 : i64} : (tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x2x3xf64>
    %v8 = "dnn.constant"() {value = dense<[1, -1, 1, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %v9 = "dnn.concat"(%r6, %v8) {axis = 0 : i64} : (tensor<4xi64>, tensor<4xi64>) -> tensor<8xi64>
    %r12 = "strange.region"() ({
      %v10 = "dnn.where"(%x2, %x1, %x1) : (tensor<2x1x3xi1>, tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
      %v11 = "dnn.mul"(%v8, %r6) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
      "strange.yield"(%v10, %v8) : (tensor<2x1x3xf64>, tensor<4xi64>) -> ()
    }) : () -> tensor<8xi64>
    %v13 = "dnn.copy"(%x2) : (tensor<2x1x3xi1>) -> tensor<2x1x3xi1>
    func.return %v8, %v8 : tensor<4xi64>, tensor<4xi64>
  }
}
// optimal: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[used-later]; 16 refused=[used-later]
// paddle: 6 refused=[kernel]; 9 refused=[engine]; 15 refused=[not-listed]; 16 refused=[not-listed]
// nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 18 inplace_mode=none
// reinplace: 6 refused=[kernel]; 9 refused=[program-input]; 15 refused=[not-listed]; 16 refused=[constant]
// transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]
// pool optimal: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[used-later]; 16 refused=[used-later]
// pool transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]
// random nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 18 inplace_mode=none
// random transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]
//   dnn.less_or_equal (v3): %v3 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.sqrt (v5): %v5 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sqrt (v5): %v5 is not written over %x1: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.sqrt (v5): %v5 is not written over %x1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.where (v10): %v10 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v11): %v11 is not written over %v8: the operand is a constant [constant] | reinplace
//   dnn.mul (v11): %v11 is not written over %v8: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sqrt (v5): %v5 is not written over %x1: it is read again on another path or iteration, by cf.br at line 13 [control-flow] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.where (v10): %v10 is not written over %x1: it is read later, by strange.yield at line 21 [used-later] | optimal, pool optimal
//   dnn.mul (v11): %v11 is not written over %r6: it is read later, by strange.yield at line 21 [used-later] | optimal, pool optimal
//   cf.br: %r2 is copied into %r6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %v4 is copied into %r6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.concat (v7): %x1 is copied into %v7, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v9): %r6 is copied into %v9, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   dnn.concat (v9): %v8 is copied into %v9, 32 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.copy (v13): %x2 is copied into %v13, 6 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v8 is copied into the memory of result 0, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %v8 is copied into the memory of result 1, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
