builtin.module {
  func.func @main(%x0: tensor<2x3xi64> {dnn.donated}, %x1: tensor<4x3xf32>, %x2: tensor<1x3xf32>, %x3: tensor<2x3x2xf32>, %x4: tensor<2x1x3xf32>) -> tensor<1x1xi64> {
    %v0 = "dnn.slice_scatter"(%x0, %x0) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
    %v1 = "dnn.constant"() {value = dense<[0, 4, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v2 = "dnn.gru"(%x1, %x2, %v1) {is_reverse = true, origin_mode = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<4x1xf32>
    %v3 = "dnn.div"(%x3, %x3) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v4 = "dnn.cumsum"(%v1) {axis = 0 : i64} : (tensor<3xi64>) -> tensor<3xi64>
    %v5 = "dnn.constant"() {value = dense<[[3.500000e+00], [2.500000e+00], [-2.500000e+00]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
    %v6 = "dnn.diagonal_scatter"(%x4, %v5) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64, dnn.engine = "cpu"} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v7 = "dnn.stack"(%x4) {axis = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<2x1x1x3xf32>
    %v8 = "dnn.maximum"(%v6, %x4) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v9 = "dnn.constant"() {value = dense<[[-1.500000e+00], [-2.500000e+00], [-5.000000e-01], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v10 = "dnn.diagonal"(%v9) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<4x1xf32>) -> tensor<1xf32>
    %v11 = "dnn.neg"(%v4) : (tensor<3xi64>) -> tensor<3xi64>
    %v12, %v13 = "dnn.top_k"(%v9) {k = 1 : i64, axis = 0 : i64, largest = false} : (tensor<4x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xi64>)
    func.return %v13 : tensor<1x1xi64>
  }
}
// optimal: 2 inplace=0; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 inplace=0; 13 inplace=0; 14 refused=[kernel kernel]
// paddle: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 refused=[not-listed]; 14 refused=[kernel kernel]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 14 refused=[kernel kernel] inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]
// transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[constant]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]
// pool optimal: 2 inplace=0; 4 refused=[kernel]; 5 refused=[program-input]; 6 refused=[constant]; 8 refused=[program-input]; 10 inplace=0; 13 inplace=0; 14 refused=[kernel kernel]
// pool transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[constant]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 12 inplace_mode=none; 13 inplace=0 inplace_mode=none; 14 refused=[kernel kernel] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 4 refused=[kernel]; 5 refused=[not-listed]; 6 refused=[constant]; 8 refused=[not-listed]; 10 refused=[not-listed]; 13 inplace=0; 14 refused=[kernel kernel]
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.gru (v2): %v2 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.div (v3): %v3 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.cumsum (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.diagonal_scatter (v6): %v6 is not written over %x4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.maximum (v8): %v8 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v11): %v11 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.div (v3): %v3 is not written over %x3: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.cumsum (v4): %v4 is not written over %v1: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.diagonal_scatter (v6): %v6 is not written over %x4: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.maximum (v8): %v8 is written over %v6, operand 0 | optimal, pool optimal
//   dnn.neg (v11): %v11 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.top_k (v12, v13): %v12 is not written over %v9: no kernel of this op writes over that operand [kernel] | all
//   dnn.top_k (v12, v13): %v13 is not written over %v9: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace 2 times
//   dnn.slice_scatter (v0): %x0 is copied into %v0, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle 2 times, nntrainer 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.diagonal_scatter (v6): %x4 is copied into %v6, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v5 is copied into %v6, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %x4 is copied into %v6, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v6): %v5 is copied into %v6, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.stack (v7): %x4 is copied into %v7, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
