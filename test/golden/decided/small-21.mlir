builtin.module {
  func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3x2xf32>, %c0: index) -> (tensor<2x3xf32> {dnn.tied = 0 : i32}) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.elu"(%x0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    cf.br ^bb1(%1, %v0, %x0 : index, tensor<2x3xf32>, tensor<2x3xf32>)
  ^bb1(%2: index, %r1: tensor<2x3xf32>, %r2: tensor<2x3xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r6, %r7 = scf.for %4 = %1 to %c0 step %0 iter_args(%r3 = %x0, %r4 = %r2) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
      %v5 = "dnn.matmul"(%r2, %x1) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      scf.yield %r4, %r2 : tensor<2x3xf32>, tensor<2x3xf32>
    }
    %v8 = "dnn.clip"(%x1) {min = -1.000000e+00 : f32, max = 1.000000e+00 : f32} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %v9 = "dnn.add"(%r1, %r7) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %v10 = "dnn.mul"(%r2, %r2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5, %v9, %v10 : index, tensor<2x3xf32>, tensor<2x3xf32>)
  ^bb3:
    func.return %v0 : tensor<2x3xf32>
  }
}
// optimal: 4 refused=[used-later]; 8 inplace=-1,4 refused=[control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 inplace=0
// paddle: 4 refused=[not-listed]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[not-listed]; 12 refused=[engine]; 13 refused=[not-listed]
// nntrainer: 4 refused=[restricting-input] inplace_mode=none; 8 refused=[control-flow control-flow] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[program-input]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 refused=[repeated-operand]
// transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 refused=[not-listed]; 13 refused=[not-listed]
// pool optimal: 4 refused=[used-later]; 8 inplace=-1,4 refused=[control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=0; 13 inplace=0
// pool transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 refused=[not-listed]; 13 refused=[not-listed]
// random nntrainer: 4 refused=[restricting-input] inplace_mode=none; 8 refused=[control-flow control-flow] inplace_mode=none; 9 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=1 inplace_mode=none; 13 refused=[not-listed] inplace_mode=none
// random transpiler: 4 refused=[used-later]; 8 refused=[control-flow control-flow]; 9 refused=[kernel]; 11 refused=[program-input]; 12 inplace=1; 13 refused=[not-listed]
//   dnn.elu (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.elu (v0): %v0 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.elu (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle
//   dnn.elu (v0): %v0 is not written over %x0: it is read later, by cf.br at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.for (r6, r7): %r7 is written over %r2, operand 4 | optimal, pool optimal
//   scf.for (r6, r7): %r6 is not written over %x0: it is read again on another path or iteration, by cf.br at line 19 [control-flow] | all
//   scf.for (r6, r7): %r7 is not written over %r2: it is read again on another path or iteration [control-flow] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.matmul (v5): %v5 is not written over %r2: no kernel of this op writes over that operand [kernel] | all
//   dnn.clip (v8): %v8 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.add (v9): %v9 is written over %r7, operand 1 | random nntrainer, random transpiler
//   dnn.add (v9): %v9 is not written over %r1: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v9): %v9 is not written over %r1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.mul (v10): %v10 is not written over %r2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.clip (v8): %v8 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.add (v9): %v9 is written over %r1, operand 0 | optimal, reinplace, pool optimal
//   dnn.mul (v10): %v10 is not written over %r2: the same value is another operand too [repeated-operand] | reinplace
//   dnn.mul (v10): %v10 is written over %r2, operand 0 | optimal, pool optimal
//   cf.br: %v0 is copied into %r1, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %x0 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.for (r6, r7): %x0 is copied into %r6, 24 bytes: it is read again on another path or iteration, by cf.br at line 19 [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.for (r6, r7): %r2 is copied into %r7, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %r4 is copied into %r6, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %r2 is copied into %r7, 24 bytes: it is read again on another path or iteration, by scf.for at line 11 [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v9 is copied into %r1, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v10 is copied into %r2, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v0 is copied into the memory of result 0, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
