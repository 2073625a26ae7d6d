builtin.module {
  func.func @main(%x0: tensor<1x4xf64>, %c0: index) -> (tensor<1x4xi1>, tensor<1x4xi1>, tensor<1x4xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.less_or_equal"(%x0, %x0) : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xi1>
    cf.br ^bb1(%1, %v0 : index, tensor<1x4xi1>)
  ^bb1(%2: index, %r1: tensor<1x4xi1>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v2 = "dnn.as_strided"(%r1) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 1 : i64} : (tensor<1x4xi1>) -> tensor<3xi1>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v0 : index, tensor<1x4xi1>)
  ^bb3:
    %v3 = "dnn.relu"(%x0) {dnn.engine = "cpu"} : (tensor<1x4xf64>) -> tensor<1x4xf64>
    func.return %r1, %v0, %v3 : tensor<1x4xi1>, tensor<1x4xi1>, tensor<1x4xf64>
  }
}
// optimal: 4 reuse=0 refused=[kernel]; 5 succ_reuse=[-1,0]; 10 succ_reuse=[-1,0]; 11 refused=[program-input]
// paddle: 4 refused=[kernel]; 11 refused=[engine]
// nntrainer: 4 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// reinplace: 4 refused=[kernel]; 11 refused=[program-input]
// transpiler: 4 refused=[kernel]; 11 refused=[program-input]
// pool optimal: 4 reuse=0 refused=[kernel]; 5 succ_reuse=[-1,0]; 10 succ_reuse=[-1,0]; 11 refused=[program-input]
// pool transpiler: 4 refused=[kernel]; 11 refused=[program-input]
// random nntrainer: 4 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// random transpiler: 4 refused=[kernel]; 11 refused=[program-input]
//   dnn.less_or_equal (v0): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.relu (v3): %v3 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v3): %v3 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   cf.br: %v0 is copied into %r1, 4 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.relu (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   func.return: %v0 is copied into the memory of result 1, 4 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
