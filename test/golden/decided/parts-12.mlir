builtin.module {
  func.func @main(%x0: tensor<4xf32> {dnn.donated}, %x1: tensor<1xf32>, %x2: tensor<1x1xf32>) -> (tensor<6x1xf32>, tensor<1x6xf32>) {
    %v0 = "dnn.sum"(%x0, %x0, %x0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %v1 = "dnn.transpose"(%v0) {perm = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    %v2 = "dnn.concat"(%v0) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %v3 = "dnn.slice_scatter"(%x0, %x1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %v4 = "dnn.cast"(%x1) : (tensor<1xf32>) -> tensor<1xf32>
    %v5 = "dnn.flatten"(%v2) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1x4xf32>
    %v6 = "dnn.zero_bias"() : () -> tensor<1x6xf32>
    %v7 = "dnn.relu_grad"(%v5, %v5) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %v8 = "dnn.gemm"(%v6, %x2) {transA = 1 : i64, transB = 1 : i64} : (tensor<1x6xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
    %v9 = "dnn.gemm"(%x2, %v8) {transA = 0 : i64, transB = 1 : i64} : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<1x6xf32>
    %v10 = "dnn.slice_scatter"(%v8, %v8) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    func.return %v10, %v9 : tensor<6x1xf32>, tensor<1x6xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 4 parts=0; 5 inplace=0; 6 refused=[program-input]; 9 refused=[repeated-operand]; 10 refused=[kernel]; 11 refused=[kernel]; 12 inplace=0
// paddle: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=non_restricting; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[repeated-operand]
// transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[program-input]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]
// pool optimal: 2 reuse=0 refused=[repeated-operand]; 5 reuse=0 refused=[taken]; 6 refused=[program-input]; 9 refused=[repeated-operand]; 10 refused=[kernel]; 11 refused=[kernel]; 12 inplace=0
// pool transpiler: 2 reuse=0 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 6 refused=[program-input]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=non_restricting; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[program-input]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]
//   dnn.sum (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sum (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.cast (v4): %v4 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.relu_grad (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sum (v0): %v0 is not written over %x0: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the memory is used for another result [taken] | pool optimal
//   dnn.concat (v2): %v0 computed in place in %v2 | optimal
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal
//   dnn.cast (v4): %v4 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.relu_grad (v7): %v7 is not written over %v5: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   dnn.gemm (v8): %v8 is not written over %v6: no kernel of this op writes over that operand [kernel] | all
//   dnn.gemm (v9): %v9 is not written over %x2: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v10): %v10 is not written over %v8: the same value is another operand too [repeated-operand] | reinplace
//   dnn.slice_scatter (v10): %v10 is not written over %v8: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v2): %v0 is copied into %v2, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   dnn.slice_scatter (v3): %x1 is copied into %v3, 4 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | pool optimal
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x1 is copied into %v3, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v10): %v8 is copied into %v10, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle 2 times, nntrainer 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.slice_scatter (v10): %v10 is written over %v8, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v3): %x1 is copied into %v3, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace
//   dnn.slice_scatter (v10): %v8 is copied into %v10, 24 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | reinplace 2 times
