builtin.module {
  func.func @main(%x0: tensor<2x1x3xf32>, %c0: index) -> (tensor<2x1x3xf32> {dnn.tied = 0 : i32}, tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.relu"(%x0) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v1 = "dnn.maximum"(%v0, %v0) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %2, %r8 = scf.while (%3 = %1, %r2 = %v0, %r3 = %v1) : (index, tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> (index, tensor<2x1x3xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r3 : index, tensor<2x1x3xf32>
    } do {
    ^bb0(%5: index, %r4: tensor<2x1x3xf32>):
      %v5 = "dnn.slice"(%v0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      %v6 = "dnn.constant"() {value = dense<[[-3, -3, -2, 0], [0, 0, -1, 3], [-2, 3, -1, 1]]> : tensor<3x4xi64>} : () -> tensor<3x4xi64>
      %r7 = func.call @f0(%v6) : (tensor<3x4xi64>) -> tensor<4xi64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v1, %v5 : index, tensor<2x1x3xf32>, tensor<2x1x3xf32>
    }
    func.return %v0, %v1, %r8 : tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>
  }
  func.func @f0(%x0: tensor<3x4xi64> {dnn.donated}) -> tensor<4xi64> {
    %v0, %v1, %v2 = "dnn.unbind"(%x0) {axis = 0 : i64} : (tensor<3x4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    func.return %v0 : tensor<4xi64>
  }
}
// optimal: 4 inplace=0; 5 refused=[used-later]; 6 reuse=-1,0 succ_reuse=[-1,-1,0] refused=[control-flow]
// paddle: 4 refused=[engine]; 5 refused=[not-listed]; 6 refused=[control-flow]
// nntrainer: 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[control-flow] inplace_mode=none; 9 inplace_mode=none; 11 inplace_mode=none; 16 inplace_mode=none
// reinplace: 4 refused=[program-input]; 5 refused=[repeated-operand]; 6 refused=[control-flow]
// transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]
// pool optimal: 4 inplace=0; 5 refused=[used-later]; 6 reuse=-1,0 succ_reuse=[-1,-1,0] refused=[control-flow]
// pool transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]
// random nntrainer: 4 inplace=0 inplace_mode=restricting; 5 refused=[not-listed] inplace_mode=none; 6 refused=[control-flow] inplace_mode=none; 9 inplace_mode=none; 11 inplace_mode=none; 16 inplace_mode=none
// random transpiler: 4 inplace=0; 5 refused=[not-listed]; 6 refused=[control-flow]
//   dnn.relu (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.maximum (v1): %v1 is not written over %v0: the same value is another operand too [repeated-operand] | reinplace
//   dnn.relu (v0): %v0 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.maximum (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v0): %v0 is written over %x0, operand 0 | optimal, nntrainer, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.maximum (v1): %v1 is not written over %v0: it is read later, by scf.while at line 7 [used-later] | optimal, pool optimal
//   scf.while (r8): %r8 is not written over %v0: it is read again on another path or iteration [control-flow] | all
//   scf.while (r8): %v0 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.while (r8): %v1 is copied into %r3, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.condition: %r3 is copied into %r8, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.call (r7): %v6 is copied for the call, 96 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 20 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   scf.yield: %v1 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v5 is copied into %r3, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   func.return: %v0 is copied into the memory of result 0, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, reinplace
//   func.return: %v0 is copied into the memory of result 0, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
