builtin.module {
  func.func @main(%x0: tensor<4x1xf32>, %x1: tensor<6xi32>, %x2: tensor<4x1xf32>, %c0: index) -> (tensor<4x1xf32>, tensor<4x1xf32> {dnn.tied = 2 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 1 : i64} : (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
    cf.br ^bb1(%1, %v0, %x0 : index, tensor<4x3xf32>, tensor<4x1xf32>)
  ^bb1(%2: index, %r1: tensor<4x3xf32>, %r2: tensor<4x1xf32>):
    %v3 = "dnn.split"(%r2) {axis = 1 : i64, split_size = 1 : i64} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v4 = "dnn.copy_into"(%x1, %x1) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
    %v5 = "dnn.relu"(%r2) {dnn.engine = "cpu"} : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %v6 = "dnn.add"(%r1, %r1) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %v7 = "dnn.mul"(%r2, %x2) : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v6, %v7 : index, tensor<4x3xf32>, tensor<4x1xf32>)
  ^bb3:
    func.return %v3, %r2 : tensor<4x1xf32>, tensor<4x1xf32>
  }
}
// optimal: 4 reuse=0; 5 succ_reuse=[-1,0,-1]; 9 inplace=0; 10 refused=[used-later]; 11 inplace=0; 12 inplace=0; 14 succ_reuse=[-1,0,-1]
// paddle: 9 refused=[not-listed]; 10 refused=[engine]; 11 refused=[engine]; 12 refused=[not-listed]
// nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 9 refused=[program-input]; 10 refused=[used-later]; 11 refused=[repeated-operand]; 12 refused=[returned]
// transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 refused=[not-listed]; 12 refused=[not-listed]
// pool optimal: 4 reuse=0; 5 succ_reuse=[-1,0,-1]; 9 inplace=0; 10 refused=[used-later]; 11 inplace=0; 12 inplace=0; 14 succ_reuse=[-1,0,-1]
// pool transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 refused=[not-listed]; 12 refused=[not-listed]
// random nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[restricting-input] inplace_mode=none; 11 inplace=1 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 9 refused=[not-listed]; 10 refused=[used-later]; 11 inplace=1; 12 refused=[not-listed]
//   dnn.copy_into (v4): %v4 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.relu (v5): %v5 is not written over %r2: it is read later [used-later] | reinplace
//   dnn.add (v6): %v6 is not written over %r1: the same value is another operand too [repeated-operand] | reinplace
//   dnn.mul (v7): %v7 is not written over %r2: it is returned [returned] | reinplace
//   dnn.copy_into (v4): %v4 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu (v5): %v5 is not written over %r2: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.add (v6): %v6 is written over %r1, operand 1 | random nntrainer, random transpiler
//   dnn.add (v6): %v6 is not written over %r1: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.relu (v5): %v5 is not written over %r2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v6): %v6 is not written over %r1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.mul (v7): %v7 is not written over %r2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v4): %v4 is written over %x1, operand 0 | optimal, pool optimal
//   dnn.relu (v5): %v5 is not written over %r2: it is read later, by dnn.mul at line 15 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.add (v6): %v6 is written over %r1, operand 0 | optimal, pool optimal
//   dnn.mul (v7): %v7 is written over %r2, operand 0 | optimal, pool optimal
//   dnn.concat (v0): %x0 is copied into %v0, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 3 times, paddle 3 times, nntrainer 3 times, reinplace 3 times, transpiler 3 times, pool optimal 3 times, pool transpiler 3 times, random nntrainer 3 times, random transpiler 3 times
//   cf.br: %v0 is copied into %r1, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %x0 is copied into %r2, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.copy_into (v4): %x1 is copied into %v4, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v6 is copied into %r1, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler
//   cf.br: %v7 is copied into %r2, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %r2 is copied into the memory of result 1, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
