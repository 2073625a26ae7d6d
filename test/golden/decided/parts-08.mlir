builtin.module {
  func.func @main(%x0: tensor<2x3xf64>, %x1: tensor<2x1x3xf32>, %x2: tensor<3x1xf32> {dnn.donated}) -> tensor<2x1x3xf32> {
    %v0 = "dnn.constant"() {value = dense<[[[-1, 0], [2, 3], [3, -3]], [[-1, -1], [3, -3], [-3, 0]]]> : tensor<2x3x2xi32>} : () -> tensor<2x3x2xi32>
    %v1 = "dnn.copy_into"(%v0, %v0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
    %v2 = "dnn.concat"(%x0, %x0) {axis = 1 : i64} : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x6xf64>
    %v3 = "dnn.diagonal_scatter"(%x1, %x2) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf32>, tensor<3x1xf32>) -> tensor<2x1x3xf32>
    %v4 = "dnn.fill"(%v3) {value = 3.000000e+00 : f32} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.zeros"(%x1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    func.return %v5 : tensor<2x1x3xf32>
  }
}
// optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]
// paddle: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[constant]; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[program-input]
// pool optimal: 3 inplace=0; 5 refused=[program-input]; 6 inplace=0; 7 refused=[program-input]
// pool transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[program-input]
// random nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 7 refused=[program-input]
//   dnn.copy_into (v1): %v1 is not written over %v0: the operand is a constant [constant] | reinplace
//   dnn.copy_into (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %v3 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.zeros (v5): %v5 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.copy_into (v1): %v0 is copied into %v1, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.copy_into (v1): %v1 is written over %v0, operand 0 | optimal, pool optimal
//   dnn.diagonal_scatter (v3): %v3 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.fill (v4): %v4 is written over %v3, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.zeros (v5): %v5 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v2): %x0 is copied into %v2, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.diagonal_scatter (v3): %x1 is copied into %v3, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %x2 is copied into %v3, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v3): %x1 is copied into %v3, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v3): %x2 is copied into %v3, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
