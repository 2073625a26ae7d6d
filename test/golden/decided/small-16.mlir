builtin.module {
  func.func @main(%x0: tensor<2x3xf64>, %c0: i1) -> (tensor<4xf64>, tensor<4xf64>) {
    %v0 = "dnn.constant"() {value = dense<[1.500000e+00, 5.000000e-01, -2.500000e+00, -2.500000e+00]> : tensor<4xf64>} : () -> tensor<4xf64>
    %r1, %r2 = func.call @f0(%x0, %v0, %v0) : (tensor<2x3xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
    cf.cond_br %c0, ^bb1(%r1 : tensor<4xf64>), ^bb2
  ^bb1(%r3: tensor<4xf64>):
    %v4 = "dnn.copy_into"(%r3, %r3) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    cf.br ^bb3(%v4, %r3 : tensor<4xf64>, tensor<4xf64>)
  ^bb2:
    %v5, %v6, %v7 = "dnn.multiout"(%r2) : (tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
    cf.br ^bb3(%v7, %r2 : tensor<4xf64>, tensor<4xf64>)
  ^bb3(%r8: tensor<4xf64>, %r9: tensor<4xf64>):
    %v10 = "dnn.minimum"(%r9, %r8) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %v11 = "dnn.log_softmax"(%r2) {axis = 0 : i64, dnn.engine = "cpu"} : (tensor<4xf64>) -> tensor<4xf64>
    func.return %r8, %r9 : tensor<4xf64>, tensor<4xf64>
  }
  func.func @f0(%x0: tensor<2x3xf64> {dnn.donated}, %x1: tensor<4xf64>, %x2: tensor<4xf64>) -> (tensor<4xf64> {dnn.tied = 1 : i32}, tensor<4xf64>) {
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x3xf64>) -> tensor<3x2xf64>
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 3 : i64, step = 1 : i64} : (tensor<2x3xf64>) -> tensor<2x2xf64>
    %v2 = "dnn.copy_into"(%x1, %x2) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    func.return %x2, %x2 : tensor<4xf64>, tensor<4xf64>
  }
}
// optimal: 4 succ_reuse=[0 ]; 5 inplace=0; 6 succ_reuse=[-1,0]; 8 succ_reuse=[-1,0]; 9 refused=[returned]; 10 refused=[operands-alias]; 15 inplace=0
// paddle: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[not-listed]
// nntrainer: 3 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace_mode=restricting; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[repeated-operand]; 9 refused=[returned]; 10 refused=[not-listed]; 15 refused=[program-input]
// transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[operands-alias]; 15 refused=[not-listed]
// pool optimal: 4 succ_reuse=[0 ]; 5 inplace=0; 6 succ_reuse=[-1,0]; 8 succ_reuse=[-1,0]; 9 refused=[returned]; 10 refused=[operands-alias]; 15 inplace=0
// pool transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[operands-alias]; 15 refused=[not-listed]
// random nntrainer: 3 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace_mode=restricting; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[operands-alias]; 15 refused=[not-listed]
//   dnn.copy_into (v4): %v4 is not written over %r3: the same value is another operand too [repeated-operand] | reinplace
//   dnn.minimum (v10): %v10 is not written over %r9: it is returned [returned] | reinplace
//   dnn.copy_into (v4): %v4 is not written over %r3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.minimum (v10): %v10 is not written over %r9: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.log_softmax (v11): %v11 is not written over %r2: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, random nntrainer
//   dnn.copy_into (v4): %v4 is written over %r3, operand 0 | optimal, pool optimal
//   dnn.minimum (v10): %v10 is not written over %r9: it is returned, by func.return at line 15 [returned] | optimal, pool optimal
//   dnn.log_softmax (v11): %v11 is not written over %r2: another value may be the same bytes [operands-alias] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   func.call (r1, r2): %x0 is copied for the call, 48 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 17 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.call (r1, r2): %v0 is copied for the call, 32 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 17 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   cf.cond_br: %r1 is copied into %r3, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.copy_into (v4): %r3 is copied into %v4, 32 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v4 is copied into %r8, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %r3 is copied into %r9, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v7 is copied into %r8, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %r2 is copied into %r9, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.copy_into (v2): %v2 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.copy_into (v2): %v2 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v2): %v2 is written over %x1, operand 0 | optimal, pool optimal
//   dnn.copy_into (v2): %x2 is copied into %v2, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %x2 is copied into the memory of result 0, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %x2 is copied into the memory of result 1, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
