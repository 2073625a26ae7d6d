builtin.module {
  func.func @main(%x0: tensor<6xf32>, %x1: tensor<2x3x2xi64>, %c0: i1, %c1: i1) -> (tensor<2x3x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2xi64> {dnn.tied = 1 : i32}) {
    %r1 = scf.if %c0 -> (tensor<6xf32>) {
      %v0 = "dnn.pow"(%x0, %x0) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      scf.yield %v0 : tensor<6xf32>
    } else {
      scf.yield %x0 : tensor<6xf32>
    }
    cf.cond_br %c1, ^bb1(%r1 : tensor<6xf32>), ^bb2
  ^bb1(%r2: tensor<6xf32>):
    %r3 = func.call @f0(%x1) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    %r4 = func.call @f0(%r3) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    %v5 = "dnn.relu"(%x1) : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    cf.br ^bb3(%x1, %x1 : tensor<2x3x2xi64>, tensor<2x3x2xi64>)
  ^bb2:
    %v6 = "dnn.constant"() {value = dense<[[-3, 3], [-1, 0]]> : tensor<2x2xi64>} : () -> tensor<2x2xi64>
    %v7 = "dnn.select_scatter"(%x1, %v6) {dim = 1 : i64, index = -1 : i64} : (tensor<2x3x2xi64>, tensor<2x2xi64>) -> tensor<2x3x2xi64>
    cf.br ^bb3(%v7, %v7 : tensor<2x3x2xi64>, tensor<2x3x2xi64>)
  ^bb3(%r8: tensor<2x3x2xi64>, %r9: tensor<2x3x2xi64>):
    func.return %r8, %x1, %r8 : tensor<2x3x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2xi64>
  }
  func.func @f0(%x0: tensor<2x3x2xi64> {dnn.donated}) -> tensor<2x3x2xi64> {
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 0, 1, 2>} : (tensor<2x3x2xi64>) -> tensor<2x3x2xi64>
    func.return %x0 : tensor<2x3x2xi64>
  }
}
// optimal: 2 reuse=0; 3 reuse=0 refused=[program-input]; 6 succ_reuse=[0 ]; 9 refused=[used-later]; 10 succ_reuse=[1,1]; 12 reuse=1 refused=[control-flow]; 13 succ_reuse=[1,1]
// paddle: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[engine]; 12 refused=[not-listed]
// nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 16 inplace_mode=none
// reinplace: 2 reuse=0; 3 reuse=0 refused=[program-input]; 9 refused=[program-input]; 12 refused=[program-input]
// transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]
// pool optimal: 2 reuse=0; 3 reuse=0 refused=[program-input]; 6 succ_reuse=[0 ]; 9 refused=[used-later]; 10 succ_reuse=[1,1]; 12 reuse=1 refused=[control-flow]; 13 succ_reuse=[1,1]
// pool transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]
// random nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 16 inplace_mode=none
// random transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 9 refused=[used-later]; 12 refused=[not-listed]
//   dnn.pow (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v5): %v5 is not written over %x1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v5): %v5 is not written over %x1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.select_scatter (v7): %v7 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.pow (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.relu (v5): %v5 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.select_scatter (v7): %v7 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.relu (v5): %v5 is not written over %x1: it is read later, by cf.br at line 14 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.select_scatter (v7): %v7 is not written over %x1: it is read again on another path or iteration, by cf.br at line 18 [control-flow] | optimal, pool optimal
//   scf.yield: %x0 is copied into %r1, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   cf.cond_br: %r1 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.call (r3): %x1 is copied for the call, 96 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 22 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.call (r4): %r3 is copied for the call, 96 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 22 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   cf.br: %x1 is copied into %r8, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %x1 is copied into %r9, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.select_scatter (v7): %x1 is copied into %v7, 96 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.select_scatter (v7): %v6 is copied into %v7, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.select_scatter (v7): %x1 is copied into %v7, 96 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v7): %v6 is copied into %v7, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v7 is copied into %r8, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v7 is copied into %r9, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v7): %x1 is copied into %v7, 96 bytes: it is read again on another path or iteration, by cf.br at line 18 [control-flow]; compute it on the path or in the iteration that reads it | optimal, pool optimal
//   dnn.select_scatter (v7): %v6 is copied into %v7, 32 bytes: it is read again on another path or iteration, by cf.br at line 18 [control-flow]; compute it on the path or in the iteration that reads it | optimal, pool optimal
//   func.return: %x1 is copied into the memory of result 1, 96 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %r8 is copied into the memory of result 2, 96 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %x0 is copied into the memory of result 0, 96 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
