builtin.module {
  func.func @main(%x0: tensor<2x3x2xf64>, %x1: tensor<2x3xf64>, %x2: tensor<3x4xf32>, %x3: tensor<1x4xf32>, %c0: index) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.select_scatter"(%x0, %x1) {dim = 2 : i64, index = -1 : i64} : (tensor<2x3x2xf64>, tensor<2x3xf64>) -> tensor<2x3x2xf64>
    %2, %r10, %r11 = scf.while (%3 = %1, %r1 = %x0) : (index, tensor<2x3x2xf64>) -> (index, tensor<3xf32>, tensor<3x4xf32>) {
      %v2 = "dnn.as_strided"(%x2) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
      %v3, %v4, %v5 = "dnn.multiout"(%v2) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v3, %x2 : index, tensor<3xf32>, tensor<3x4xf32>
    } do {
    ^bb0(%5: index, %r6: tensor<3xf32>, %r7: tensor<3x4xf32>):
      %r8 = func.call @f0(%x3) : (tensor<1x4xf32>) -> tensor<1x4xf32>
      %v9 = "dnn.log_softmax"(%x3) {axis = -2 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<2x3x2xf64>
    }
    func.return %r11, %x3 : tensor<3x4xf32>, tensor<1x4xf32>
  }
  func.func @f0(%x0: tensor<1x4xf32> {dnn.donated}) -> tensor<1x4xf32> {
    %v0 = "dnn.less"(%x0, %x0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
    func.return %x0 : tensor<1x4xf32>
  }
}
// optimal: 4 refused=[program-input]; 5 reuse=-1,-1,0; 11 refused=[program-input]; 16 refused=[kernel]
// paddle: 4 refused=[not-listed]; 11 refused=[not-listed]; 16 refused=[kernel]
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 16 refused=[kernel] inplace_mode=none
// reinplace: 4 refused=[program-input]; 11 refused=[program-input]; 16 refused=[kernel]
// transpiler: 4 refused=[not-listed]; 11 refused=[program-input]; 16 refused=[kernel]
// pool optimal: 4 refused=[program-input]; 5 reuse=-1,-1,0; 11 refused=[program-input]; 16 refused=[kernel]
// pool transpiler: 4 refused=[not-listed]; 11 refused=[program-input]; 16 refused=[kernel]
// random nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 16 refused=[kernel] inplace_mode=none
// random transpiler: 4 refused=[not-listed]; 11 refused=[program-input]; 16 refused=[kernel]
//   dnn.select_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.log_softmax (v9): %v9 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.select_scatter (v0): %x0 is copied into %v0, 96 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v0): %x1 is copied into %v0, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.log_softmax (v9): %v9 is not written over %x3: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.select_scatter (v0): %x0 is copied into %v0, 96 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.select_scatter (v0): %x1 is copied into %v0, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   scf.while (r10, r11): %x0 is copied into %r1, 96 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.condition: %v3 is copied into %r10, 12 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.condition: %x2 is copied into %r11, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.call (r8): %x3 is copied for the call, 16 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 20 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   scf.yield: %v0 is copied into %r1, 96 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   func.return: %r11 is copied into the memory of result 0, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, pool optimal
//   func.return: %x3 is copied into the memory of result 1, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.less (v0): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   func.return: %x0 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
