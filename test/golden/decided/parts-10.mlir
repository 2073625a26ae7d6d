builtin.module {
  func.func @main(%x0: tensor<1xi32>, %x1: tensor<4x2xf64>, %x2: tensor<1xi64> {dnn.donated}) -> tensor<4x5xf64> {
    %v0 = "dnn.constant"() {value = dense<[[-1, 0], [2, 0]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x2xi32>, tensor<1xi32>) -> tensor<2x2xi32>
    %v2 = "dnn.constant"() {value = dense<[[1.500000e+00, -5.000000e-01, 5.000000e-01, 3.500000e+00], [3.500000e+00, 3.500000e+00, 5.000000e-01, -2.500000e+00], [-1.500000e+00, 1.500000e+00, -2.500000e+00, 1.500000e+00]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v3 = "dnn.constant"() {value = dense<[[-2.500000e+00, 2.500000e+00, 3.500000e+00, 1.500000e+00], [-2.500000e+00, -1.500000e+00, 5.000000e-01, 5.000000e-01], [-5.000000e-01, 5.000000e-01, -5.000000e-01, 2.500000e+00], [3.500000e+00, -2.500000e+00, 1.500000e+00, 1.500000e+00], [5.000000e-01, 1.500000e+00, -5.000000e-01, 5.000000e-01], [-1.500000e+00, -2.500000e+00, -5.000000e-01, -5.000000e-01]]> : tensor<6x4xf64>} : () -> tensor<6x4xf64>
    %v4 = "dnn.constant"() {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v5 = "dnn.crf_decoding"(%v2, %v3, %v4) : (tensor<3x4xf64>, tensor<6x4xf64>, tensor<2xi64>) -> tensor<3x1xi64>
    %v6 = "dnn.matmul"(%v3, %x1) : (tensor<6x4xf64>, tensor<4x2xf64>) -> tensor<6x2xf64>
    %v7 = "dnn.slice"(%v6) {dim = 0 : i64, start = 3 : i64, end = 5 : i64, step = 2 : i64} : (tensor<6x2xf64>) -> tensor<1x2xf64>
    %v8 = "dnn.select_scatter"(%v5, %x2) {dim = 0 : i64, index = 0 : i64} : (tensor<3x1xi64>, tensor<1xi64>) -> tensor<3x1xi64>
    %v9 = "dnn.constant"() {value = dense<[-2, 0, -3, -1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %v10 = "dnn.stack"(%v5, %v8) {axis = 0 : i64} : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<2x3x1xi64>
    %v11 = "dnn.pad"(%v7) {pads = array<i64: 2, 2, 1, 1>, value = 1.500000e+00 : f32} : (tensor<1x2xf64>) -> tensor<4x5xf64>
    func.return %v11 : tensor<4x5xf64>
  }
}
// optimal: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]; 12 parts=0,1
// paddle: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace_mode=none
// reinplace: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]
// transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]
// pool optimal: 3 refused=[constant]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[used-later]; 12 parts=0,1
// pool transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]
// random nntrainer: 3 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.crf_decoding (v5): %v5 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   dnn.matmul (v6): %v6 is not written over %v3: no kernel of this op writes over that operand [kernel] | all
//   dnn.select_scatter (v8): %v8 is not written over %v5: it is read later [used-later] | reinplace
//   dnn.select_scatter (v8): %v8 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v8): %v5 is copied into %v8, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v8): %x2 is copied into %v8, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.stack (v10): %v5 is copied into %v10, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.stack (v10): %v8 is copied into %v10, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v8): %v8 is not written over %v5: it is read later, by dnn.stack at line 13 [used-later] | optimal, pool optimal
//   dnn.stack (v10): %v5, %v8 computed in place in %v10 | optimal, pool optimal
//   dnn.diagonal_scatter (v1): %v0 is copied into %v1, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v1): %x0 is copied into %v1, 4 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.select_scatter (v8): %v5 is copied into %v8, 24 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.select_scatter (v8): %x2 is copied into %v8, 8 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.select_scatter (v8): %v5 is copied into %v8, 24 bytes: it is read later, by dnn.stack at line 13 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.select_scatter (v8): %x2 is copied into %v8, 8 bytes: it is read later, by dnn.stack at line 13 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
