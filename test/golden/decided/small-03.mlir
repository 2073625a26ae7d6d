builtin.module {
  func.func @main(%x0: tensor<3x4xf32> {dnn.donated}, %x1: tensor<4xf32>, %x2: tensor<4x1xf32> {dnn.donated}, %c0: i1) -> (tensor<1x3xf32>, tensor<4x1xf32>) {
    %v0 = "dnn.constant"() {value = dense<[5.000000e-01, 1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v1 = "dnn.constant"() {value = dense<[1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v2 = "dnn.batch_norm"(%x0, %x1, %x1, %v0, %v1) : (tensor<3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    cf.cond_br %c0, ^bb1(%v2 : tensor<3x4xf32>), ^bb2
  ^bb1(%r3: tensor<3x4xf32>):
    %v4 = "dnn.relu_grad"(%v0, %v0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    cf.br ^bb3(%x1, %v0 : tensor<4xf32>, tensor<4xf32>)
  ^bb2:
    %v5 = "dnn.constant"() {value = dense<3.500000e+00> : tensor<f32>} : () -> tensor<f32>
    %v6 = "dnn.select_scatter"(%v1, %v5) {dim = 0 : i64, index = -2 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    cf.br ^bb3(%v0, %v1 : tensor<4xf32>, tensor<4xf32>)
  ^bb3(%r7: tensor<4xf32>, %r8: tensor<4xf32>):
    %v9 = "dnn.constant"() {value = dense<[[5.000000e-01, 2.500000e+00, -2.500000e+00]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
    %v10 = "dnn.gemm"(%x2, %x0, %v9) {transA = 1 : i64, transB = 1 : i64, alpha = 5.000000e-01 : f32} : (tensor<4x1xf32>, tensor<3x4xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    func.return %v9, %x2 : tensor<1x3xf32>, tensor<4x1xf32>
  }
}
// optimal: 4 reuse=0 refused=[control-flow]; 5 succ_reuse=[0 ]; 6 refused=[constant]; 9 refused=[constant]; 12 refused=[constant]
// paddle: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]
// nntrainer: 4 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[program-input]; 6 refused=[not-listed]; 9 refused=[constant]; 12 refused=[constant]
// transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]
// pool optimal: 4 reuse=0 refused=[control-flow]; 5 succ_reuse=[0 ]; 6 refused=[constant]; 9 refused=[constant]; 12 refused=[constant]
// pool transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]
// random nntrainer: 4 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none
// random transpiler: 4 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]
//   dnn.batch_norm (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.batch_norm (v2): %v2 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.batch_norm (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, transpiler, pool transpiler, random transpiler
//   dnn.relu_grad (v4): %v4 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v10): %v10 is not written over %v9: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.cond_br: %v2 is copied into %r3, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.batch_norm (v2): %v2 is not written over %x0: it is read again on another path or iteration, by cf.cond_br at line 6 [control-flow] | optimal, pool optimal
//   dnn.relu_grad (v4): %v4 is not written over %v0: the operand is a constant [constant] | optimal, pool optimal
//   dnn.select_scatter (v6): %v6 is not written over %v1: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.gemm (v10): %v10 is not written over %v9: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   cf.br: %x1 is copied into %r7, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   cf.br: %v0 is copied into %r8, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.select_scatter (v6): %v1 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v6): %v5 is copied into %v6, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v6): %v1 is copied into %v6, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | optimal, reinplace, pool optimal
//   dnn.select_scatter (v6): %v5 is copied into %v6, 4 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   cf.br: %v0 is copied into %r7, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   cf.br: %v1 is copied into %r8, 16 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.gemm (v10): %v9 is copied into %v10, 12 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %v9 is copied into the memory of result 0, 12 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
