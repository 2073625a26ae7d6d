builtin.module {
  func.func @main(%x0: tensor<2x1xf32>, %c0: index, %c1: i1) -> (tensor<2x1xf32> {dnn.tied = 0 : i32}, tensor<2x2x1xf32>, tensor<2x1xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.expand"(%x0) {dnn.engine = "cpu"} : (tensor<2x1xf32>) -> tensor<2x2x1xf32>
    cf.br ^bb1(%1, %v0 : index, tensor<2x2x1xf32>)
  ^bb1(%2: index, %r1: tensor<2x2x1xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r3 = scf.if %c1 -> (tensor<2x2x1xf32>) {
      %v2 = "dnn.as_strided"(%x0) {size = array<i64: 2>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x1xf32>) -> tensor<2xf32>
      scf.yield %v0 : tensor<2x2x1xf32>
    } else {
      scf.yield %r1 : tensor<2x2x1xf32>
    }
    %v4 = "dnn.neg"(%r1) : (tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v4 : index, tensor<2x2x1xf32>)
  ^bb3:
    %v5 = "dnn.leaky_relu"(%x0) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    func.return %x0, %v0, %x0 : tensor<2x1xf32>, tensor<2x2x1xf32>, tensor<2x1xf32>
  }
}
// optimal: 12 inplace=0; 15 refused=[returned]
// paddle: 12 refused=[not-listed]; 15 refused=[engine]
// nntrainer: 4 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 15 refused=[restricting-input] inplace_mode=none
// reinplace: 12 inplace=0; 15 refused=[program-input]
// transpiler: 12 inplace=0; 15 refused=[returned]
// pool optimal: 12 inplace=0; 15 refused=[returned]
// pool transpiler: 12 inplace=0; 15 refused=[returned]
// random nntrainer: 4 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 15 refused=[restricting-input] inplace_mode=none
// random transpiler: 12 inplace=0; 15 refused=[returned]
//   dnn.neg (v4): %v4 is not written over %r1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.leaky_relu (v5): %v5 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.leaky_relu (v5): %v5 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.neg (v4): %v4 is written over %r1, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.leaky_relu (v5): %v5 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.leaky_relu (v5): %v5 is not written over %x0: it is returned, by func.return at line 22 [returned] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   cf.br: %v0 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v0 is copied into %r3, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %r1 is copied into %r3, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %v4 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, random nntrainer
//   func.return: %v0 is copied into the memory of result 1, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %x0 is copied into the memory of result 2, 8 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
