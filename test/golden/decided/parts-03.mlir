builtin.module {
  func.func @main(%x0: tensor<2x1xf32> {dnn.donated}) -> tensor<3x1xi1> {
    %v0 = "dnn.constant"() {value = dense<[[[3.500000e+00, 2.500000e+00, 1.500000e+00]], [[2.500000e+00, 5.000000e-01, -1.500000e+00]]]> : tensor<2x1x3xf32>} : () -> tensor<2x1x3xf32>
    %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 0 : i64, dim1 = 2 : i64, dim2 = 1 : i64} : (tensor<2x1x3xf32>, tensor<2x1xf32>) -> tensor<2x1x3xf32>
    %v2 = "dnn.identity"(%v1) {dnn.engine = "cpu"} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v3 = "dnn.concat"(%x0) {axis = 1 : i64} : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %v4 = "dnn.reduce_sum"(%v0) {axes = array<i64: 1>, keepdims = true} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.constant"() {value = dense<[[-1.500000e+00], [2.500000e+00], [-1.500000e+00]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
    %v6 = "dnn.diagonal_scatter"(%v4, %v5) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v7 = "dnn.greater_or_equal"(%v5, %v5) : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xi1>
    func.return %v7 : tensor<3x1xi1>
  }
}
// optimal: 3 refused=[constant]; 6 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]
// paddle: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=non_restricting; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[kernel] inplace_mode=none
// reinplace: 3 refused=[constant]; 6 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]
// transpiler: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]
// pool optimal: 3 reuse=0 refused=[constant]; 6 reuse=0 refused=[kernel]; 8 inplace=0; 9 refused=[kernel]
// pool transpiler: 3 reuse=0 refused=[not-listed]; 6 reuse=0 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]
// random nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=non_restricting; 5 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[kernel] inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 6 refused=[kernel]; 8 refused=[not-listed]; 9 refused=[kernel]
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.reduce_sum (v4): %v4 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   dnn.diagonal_scatter (v6): %v6 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v6 is written over %v4, operand 0 | optimal, reinplace, pool optimal
//   dnn.greater_or_equal (v7): %v7 is not written over %v5: no kernel of this op writes over that operand [kernel] | all
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.concat (v3): %x0 is copied into %v3, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.diagonal_scatter (v6): %v4 is copied into %v6, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v5 is copied into %v6, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v5 is copied into %v6, 12 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
