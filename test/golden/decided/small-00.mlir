builtin.module {
  func.func @main(%x0: tensor<1x4xf32>, %x1: tensor<1x1xf32> {dnn.donated}, %c0: i1) -> (tensor<1x4xf32>, tensor<1x4xf32> {dnn.tied = 0 : i32}) {
    %r1 = scf.if %c0 -> (tensor<1x4xf32>) {
      %v0 = "dnn.slice_scatter"(%x0, %x1) {dim = 1 : i64, start = 3 : i64, end = 4 : i64, step = 1 : i64} : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
      scf.yield %v0 : tensor<1x4xf32>
    } else {
      scf.yield %x0 : tensor<1x4xf32>
    }
    %v2 = "dnn.concat"(%r1) {axis = 1 : i64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %r3 = "dnn.opaque"(%v2) {kind = "some"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %v4 = "dnn.slice_scatter"(%r3, %x1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
    %r5 = "strange.op"(%r1) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    %v6 = "dnn.constant"() {value = dense<-5.000000e-01> : tensor<1xf32>} : () -> tensor<1xf32>
    %v7 = "dnn.diagonal_scatter"(%r5, %v6) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<1x4xf32>, tensor<1xf32>) -> tensor<1x4xf32>
    func.return %v4, %v4 : tensor<1x4xf32>, tensor<1x4xf32>
  }
}
// optimal: 2 reuse=0; 3 inplace=0; 7 refused=[kernel]; 8 inplace=0; 11 refused=[operands-alias]
// paddle: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 2 reuse=0; 3 reuse=0 refused=[program-input]; 7 refused=[kernel]; 8 inplace=0; 11 refused=[operands-alias]
// transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 2 reuse=1; 3 inplace=0; 6 reuse=0; 7 refused=[kernel]; 8 inplace=0; 11 reuse=0 refused=[operands-alias]
// pool transpiler: 2 reuse=1; 3 reuse=1 refused=[not-listed]; 6 reuse=0; 7 refused=[kernel]; 8 refused=[not-listed]; 11 reuse=0 refused=[not-listed]
// random nntrainer: 2 reuse=0 inplace_mode=none; 3 reuse=0 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 2 reuse=0; 3 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.opaque (r3): %r3 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v4): %v4 is not written over %r3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v7 is not written over %r5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %x1 is copied into %v0, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %x0 is copied into %r1, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v2): %r1 is copied into %v2, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %r3 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x1 is copied into %v4, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %r5 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v6 is copied into %v7, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is written over %r3, operand 0 | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v7): %v7 is not written over %r5: another value may be the same bytes [operands-alias] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v0): %x1 is copied into %v0, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.concat (v2): %r1 is copied into %v2, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, pool optimal
//   dnn.slice_scatter (v4): %x1 is copied into %v4, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v7): %r5 is copied into %v7, 16 bytes: another value may be the same bytes [operands-alias]; register a contract of the op of another dialect that it comes from | optimal, pool optimal
//   dnn.diagonal_scatter (v7): %v6 is copied into %v7, 4 bytes: another value may be the same bytes [operands-alias]; register a contract of the op of another dialect that it comes from | optimal, pool optimal
//   func.return: %v4 is copied into the memory of result 1, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
