builtin.module {
  func.func @main(%x0: tensor<1xf64>, %x1: tensor<4x1xf64>, %c0: index, %c1: i1) -> (tensor<1xf64>, tensor<4x1xf64> {dnn.tied = 1 : i32}, tensor<4x1xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[1.500000e+00], [-2.500000e+00], [2.500000e+00], [1.500000e+00]]> : tensor<4x1xf64>} : () -> tensor<4x1xf64>
    %v1 = "dnn.as_strided_scatter"(%v0, %x0) {size = array<i64: 1>, stride = array<i64: 2>, storage_offset = 3 : i64} : (tensor<4x1xf64>, tensor<1xf64>) -> tensor<4x1xf64>
    %r9 = scf.for %2 = %1 to %c0 step %0 iter_args(%r2 = %v0) -> (tensor<4x1xf64>) {
      %r5, %r6 = scf.if %c1 -> (tensor<4x1xf64>, tensor<4x1xf64>) {
        %r3 = "dnn.opaque"(%x0) {kind = "some"} : (tensor<1xf64>) -> tensor<1xf64>
        %v4 = "dnn.concat"(%v1) {axis = 1 : i64} : (tensor<4x1xf64>) -> tensor<4x1xf64>
        scf.yield %v4, %v1 : tensor<4x1xf64>, tensor<4x1xf64>
      } else {
        scf.yield %v1, %x1 : tensor<4x1xf64>, tensor<4x1xf64>
      }
      %v7 = "dnn.add"(%r5, %r6) : (tensor<4x1xf64>, tensor<4x1xf64>) -> tensor<4x1xf64>
      %v8 = "dnn.abs"(%r2) : (tensor<4x1xf64>) -> tensor<4x1xf64>
      scf.yield %v8 : tensor<4x1xf64>
    }
    %v10 = "dnn.minimum"(%r9, %x1) : (tensor<4x1xf64>, tensor<4x1xf64>) -> tensor<4x1xf64>
    func.return %x0, %v10, %r9 : tensor<1xf64>, tensor<4x1xf64>, tensor<4x1xf64>
  }
}
// optimal: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 parts=0 reuse=0; 12 inplace=1; 13 inplace=0; 15 inplace=1
// paddle: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[engine]; 13 refused=[engine]; 15 refused=[not-listed]
// nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[constant] inplace_mode=none; 7 reuse=0,-1 inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 reuse=0 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// reinplace: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 inplace=0; 13 inplace=0; 15 refused=[returned]
// transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[not-listed]; 13 inplace=0; 15 refused=[not-listed]
// pool optimal: 5 refused=[constant]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 parts=0 reuse=0; 12 inplace=1; 13 inplace=0; 15 inplace=1
// pool transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 refused=[not-listed]; 13 inplace=0; 15 refused=[not-listed]
// random nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[constant] inplace_mode=none; 7 reuse=0,-1 inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 reuse=0 inplace_mode=none; 12 inplace=1 inplace_mode=none; 13 inplace=0 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none
// random transpiler: 5 refused=[not-listed]; 6 refused=[constant]; 7 reuse=0,-1; 8 refused=[kernel]; 9 reuse=0; 12 inplace=1; 13 inplace=0; 15 refused=[not-listed]
//   dnn.as_strided_scatter (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   scf.for (r9): %r9 is not written over %v0: the operand is a constant [constant] | all
//   dnn.opaque (r3): %r3 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.add (v7): %v7 is written over %r5, operand 0 | reinplace
//   dnn.add (v7): %v7 is not written over %r5: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.abs (v8): %v8 is not written over %r2: the strategy's system does not do that [not-listed] | nntrainer
//   dnn.add (v7): %v7 is not written over %r5: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.abs (v8): %v8 is not written over %r2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.minimum (v10): %v10 is not written over %r9: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %v0 is copied into %v1, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %x0 is copied into %v1, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v4): %v1 computed in place in %v4 | optimal, pool optimal
//   dnn.add (v7): %v7 is written over %r6, operand 1 | optimal, pool optimal, random nntrainer, random transpiler
//   dnn.abs (v8): %v8 is written over %r2, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.minimum (v10): %v10 is not written over %r9: it is returned [returned] | reinplace
//   dnn.minimum (v10): %v10 is written over %x1, operand 1 | optimal, pool optimal
//   dnn.as_strided_scatter (v1): %v0 is copied into %v1, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.as_strided_scatter (v1): %x0 is copied into %v1, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   scf.for (r9): %v0 is copied into %r9, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.concat (v4): %v1 is copied into %v4, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v1 is copied into %r6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v1 is copied into %r5, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %x1 is copied into %r6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v8 is copied into %r9, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer
//   func.return: %x0 is copied into the memory of result 0, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   func.return: %v10 is copied into the memory of result 1, 32 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
