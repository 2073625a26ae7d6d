builtin.module {
  func.func @main(%x0: tensor<3x4xi64>, %x1: tensor<3x1xi64> {dnn.donated}, %x2: tensor<2x3xf64> {dnn.donated}, %x3: tensor<f64> {dnn.donated}, %x4: tensor<6xf64>, %c0: index) -> (tensor<3x1xi64> {dnn.tied = 1 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.slice_scatter"(%x0, %x1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<3x4xi64>, tensor<3x1xi64>) -> tensor<3x4xi64>
    %2, %r7 = scf.while (%3 = %1, %r1 = %v0, %r2 = %x1) : (index, tensor<3x4xi64>, tensor<3x1xi64>) -> (index, tensor<3x1xi64>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r2 : index, tensor<3x1xi64>
    } do {
    ^bb0(%5: index, %r3: tensor<3x1xi64>):
      %v4 = "dnn.pow"(%x3, %x2) : (tensor<f64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      %r5 = func.call @f0(%x4) : (tensor<6xf64>) -> tensor<6xf64>
      %v6 = "dnn.mul"(%r3, %x1) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0, %v6 : index, tensor<3x4xi64>, tensor<3x1xi64>
    }
    %v8 = "dnn.constant"() {value = dense<[[3], [1], [3]]> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %v9 = "dnn.stack"(%r7, %v8, %r7) {axis = 0 : i64} : (tensor<3x1xi64>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x3x1xi64>
    %v10 = "dnn.reduce_sum"(%x4) {axes = array<i64: 0>, keepdims = true} : (tensor<6xf64>) -> tensor<1xf64>
    func.return %r7 : tensor<3x1xi64>
  }
  func.func @f0(%x0: tensor<6xf64> {dnn.donated}) -> tensor<6xf64> {
    %v0 = "dnn.copy_into"(%x0, %x0) : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    %v1 = "dnn.identity"(%v0) : (tensor<6xf64>) -> tensor<6xf64>
    %v2 = "dnn.gelu"(%v1) : (tensor<6xf64>) -> tensor<6xf64>
    func.return %x0 : tensor<6xf64>
  }
}
// optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,1 succ_reuse=[-1,0,1]; 8 refused=[control-flow]; 10 inplace=0; 15 refused=[kernel]; 18 inplace=0; 20 refused=[taken]
// paddle: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 refused=[not-listed]
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 14 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 inplace_mode=non_restricting; 20 inplace=0 inplace_mode=restricting
// reinplace: 4 refused=[program-input]; 8 refused=[broadcast]; 10 inplace=0; 15 refused=[kernel]; 18 refused=[program-input]; 20 inplace=0
// transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0
// pool optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,1 succ_reuse=[-1,0,1]; 8 refused=[control-flow]; 10 inplace=0; 15 refused=[kernel]; 18 inplace=0; 20 refused=[taken]
// pool transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0
// random nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace=0 inplace_mode=none; 14 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 inplace_mode=non_restricting; 20 inplace=0 inplace_mode=restricting
// random transpiler: 4 refused=[not-listed]; 8 refused=[not-listed]; 10 inplace=0; 15 refused=[kernel]; 18 refused=[not-listed]; 20 inplace=0
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.pow (v4): %v4 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v6): %v6 is not written over %r3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.pow (v4): %v4 is not written over %x3: the operand is broadcast: one of its elements is read for several of the result (8 bytes, 48 wanted) [broadcast] | reinplace
//   dnn.pow (v4): %v4 is not written over %x2: it is read again on another path or iteration, by scf.yield at line 15 [control-flow] | optimal, pool optimal
//   dnn.mul (v6): %v6 is written over %r3, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.reduce_sum (v10): %v10 is not written over %x4: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 96 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %x1 is copied into %v0, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.while (r7): %v0 is copied into %r1, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 96 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v0): %x1 is copied into %v0, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   scf.while (r7): %x1 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.condition: %r2 is copied into %r7, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.call (r5): %x4 is copied for the call, 48 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 22 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   scf.yield: %v0 is copied into %r1, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v6 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.stack (v9): %r7 is copied into %v9, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   func.return: %r7 is copied into the memory of result 0, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   dnn.copy_into (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.copy_into (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gelu (v2): %v2 is written over %v1, operand 0 | nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gelu (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle
//   dnn.copy_into (v0): %x0 is copied into %v0, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.gelu (v2): %v2 is not written over %v1: the memory is used for another result [taken] | optimal, pool optimal
//   func.return: %x0 is copied into the memory of result 0, 48 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   dnn.stack (v9): %v8 is copied into %v9, 24 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | all
