builtin.module {
  func.func @main(%x0: tensor<2x2xi64>, %x1: tensor<i64>, %x2: tensor<3x4xf32>, %x3: tensor<f64> {dnn.donated}) -> (tensor<1xi64>, tensor<i64>) {
    %v0 = "dnn.constant"() {value = dense<[-1, 0, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v1 = "dnn.as_strided_scatter"(%x0, %v0) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x2xi64>, tensor<3xi64>) -> tensor<2x2xi64>
    %v2 = "dnn.multiout"(%v0) : (tensor<3xi64>) -> tensor<3xi64>
    %v3 = "dnn.identity"(%v1) : (tensor<2x2xi64>) -> tensor<2x2xi64>
    %v4 = "dnn.diagonal"(%v1) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>) -> tensor<2xi64>
    %v5 = "dnn.addcmul"(%v1, %v3, %x1) : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    %v6 = "dnn.diagonal_scatter"(%v1, %v4) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
    %v7 = "dnn.expand"(%x1) : (tensor<i64>) -> tensor<2xi64>
    %v8 = "dnn.pad"(%x2) {pads = array<i64: 1, 0, 1, 0>, value = 1.500000e+00 : f32} : (tensor<3x4xf32>) -> tensor<5x4xf32>
    %v9 = "dnn.relu_grad"(%x3, %x3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %v10 = "dnn.identity"(%x3) : (tensor<f64>) -> tensor<f64>
    %v11 = "dnn.diagonal"(%v3) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>) -> tensor<1xi64>
    %v12 = "dnn.as_strided"(%v6) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<2x2xi64>) -> tensor<1xi64>
    func.return %v12, %x1 : tensor<1xi64>, tensor<i64>
  }
}
// optimal: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 inplace=0
// paddle: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=restricting; 5 inplace_mode=restricting; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace_mode=restricting; 13 inplace_mode=none; 14 inplace_mode=none
// reinplace: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 refused=[program-input]
// transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 inplace=0
// pool transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]
// random nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=restricting; 5 inplace_mode=restricting; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace_mode=restricting; 13 inplace_mode=none; 14 inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.as_strided_scatter (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.addcmul (v5): %v5 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu_grad (v9): %v9 is not written over %x3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %x0 is copied into %v1, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %v0 is copied into %v1, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v1 is copied into %v6, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v4 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.addcmul (v5): %v5 is not written over %v1: it is read later, by dnn.diagonal_scatter at line 9 [used-later] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v6): %v6 is written over %v1, operand 0 | optimal, reinplace, pool optimal
//   dnn.relu_grad (v9): %v9 is not written over %x3: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.relu_grad (v9): %v9 is written over %x3, operand 0 | optimal, pool optimal
//   dnn.as_strided_scatter (v1): %x0 is copied into %v1, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.as_strided_scatter (v1): %v0 is copied into %v1, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   func.return: %v12 is copied into the memory of result 0, 8 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   func.return: %x1 is copied into the memory of result 1, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
