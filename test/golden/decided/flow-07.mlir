builtin.module {
  func.func @main(%x0: tensor<i64> {dnn.donated}, %x1: tensor<2x2xf32>, %x2: tensor<1x3xf32> {dnn.donated}, %x3: tensor<2xf32> {dnn.donated}) -> (tensor<2xf32>, tensor<1x3xf32>) {
    %v0 = "dnn.flatten"(%x0) {axis = 0 : i64} : (tensor<i64>) -> tensor<1x1xi64>
    %v1 = "dnn.constant"() {value = dense<[[2.500000e+00, 5.000000e-01, 2.500000e+00], [1.500000e+00, 3.500000e+00, 2.500000e+00]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %r2, %r3 = func.call @f0(%x1, %v1) : (tensor<2x2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    %r4, %r5 = func.call @f0(%x1, %r3) : (tensor<2x2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    %v6 = "dnn.slice_scatter"(%r5, %x2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v7 = "dnn.diagonal_scatter"(%v6, %x3) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    func.return %x3, %x2 : tensor<2xf32>, tensor<1x3xf32>
  }
  func.func @f0(%x0: tensor<2x2xf32> {dnn.donated}, %x1: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32> {dnn.tied = 1 : i32}) {
    %v0 = "dnn.maximum"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v1 = "dnn.reduce_mean"(%x1) {axes = array<i64: 1>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %v2 = "dnn.equal"(%x1, %x1) {dnn.engine = "cpu"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    func.return %x1, %x1 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
// optimal: 6 refused=[operands-alias]; 7 inplace=0; 10 inplace=0; 11 refused=[kernel]; 12 refused=[kernel]
// paddle: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]
// nntrainer: 2 inplace_mode=non_restricting; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none
// reinplace: 6 refused=[operands-alias]; 7 refused=[operands-alias]; 10 refused=[program-input]; 11 refused=[kernel]; 12 refused=[kernel]
// transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]
// pool optimal: 6 refused=[operands-alias]; 7 inplace=0; 10 inplace=0; 11 refused=[kernel]; 12 refused=[kernel]
// pool transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]
// random nntrainer: 2 inplace_mode=non_restricting; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none
// random transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]
//   dnn.slice_scatter (v6): %v6 is not written over %r5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is not written over %r5: another value may be the same bytes [operands-alias] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v7): %v7 is not written over %v6: another value may be the same bytes [operands-alias] | reinplace
//   dnn.diagonal_scatter (v7): %v7 is written over %v6, operand 0 | optimal, pool optimal
//   func.call (r2, r3): %x1 is copied for the call, 16 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 11 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.call (r2, r3): %v1 is copied for the call, 24 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 11 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.call (r4, r5): %x1 is copied for the call, 16 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 11 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   func.call (r4, r5): %r3 is copied for the call, 24 bytes: the call may write the parameter, and the operand is not given to it, by func.func at line 11 [callee-writes]; let the call be the last use: then `dnn.donate` gives the operand | all
//   dnn.slice_scatter (v6): %r5 is copied into %v6, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %x2 is copied into %v6, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %v6 is copied into %v7, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v7): %x3 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.maximum (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.maximum (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %r5 is copied into %v6, 24 bytes: another value may be the same bytes [operands-alias]; register a contract of the op of another dialect that it comes from | optimal, pool optimal
//   dnn.slice_scatter (v6): %x2 is copied into %v6, 12 bytes: another value may be the same bytes [operands-alias]; register a contract of the op of another dialect that it comes from | optimal, pool optimal
//   dnn.diagonal_scatter (v7): %x3 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, pool optimal
//   dnn.maximum (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.reduce_mean (v1): %v1 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.equal (v2): %v2 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   func.return: %x1 is copied into the memory of result 0, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
