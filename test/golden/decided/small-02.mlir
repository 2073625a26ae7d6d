builtin.module {
  func.func @main(%x0: tensor<2x3xi64> {dnn.donated}, %x1: tensor<2x2xi1> {dnn.donated}, %x2: tensor<1xi1> {dnn.donated}, %c0: i1) -> (tensor<2x2xi1> {dnn.tied = 1 : i32}, tensor<1xi1>) {
    %v0 = "dnn.cast"(%x0) {dnn.engine = "cpu"} : (tensor<2x3xi64>) -> tensor<2x3xi1>
    %v1 = "dnn.constant"() {value = dense<[1.500000e+00, -2.500000e+00, -2.500000e+00, 2.500000e+00, 2.500000e+00, -1.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v2 = "dnn.layer_norm"(%v1, %v1) {axis = -1 : i64} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    cf.cond_br %c0, ^bb1, ^bb2
  ^bb1:
    %v3 = "dnn.where"(%x1, %x1, %x1) : (tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
    %v4 = "dnn.constant"() {value = dense<false> : tensor<1xi1>} : () -> tensor<1xi1>
    %v5 = "dnn.as_strided_scatter"(%v3, %v4) {size = array<i64: 1>, stride = array<i64: 3>, storage_offset = 1 : i64} : (tensor<2x2xi1>, tensor<1xi1>) -> tensor<2x2xi1>
    cf.br ^bb3(%v2, %v1 : tensor<6xf32>, tensor<6xf32>)
  ^bb2:
    %v6 = "dnn.diagonal_scatter"(%v0, %x2) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64, dnn.engine = "cpu"} : (tensor<2x3xi1>, tensor<1xi1>) -> tensor<2x3xi1>
    cf.br ^bb3(%v1, %v2 : tensor<6xf32>, tensor<6xf32>)
  ^bb3(%r7: tensor<6xf32>, %r8: tensor<6xf32>):
    func.return %x1, %x2 : tensor<2x2xi1>, tensor<1xi1>
  }
}
// optimal: 2 refused=[kernel]; 4 reuse=0 refused=[constant]; 6 refused=[control-flow]; 8 inplace=0; 9 succ_reuse=[0,-1]; 10 inplace=0; 11 succ_reuse=[0,-1]
// paddle: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]
// nntrainer: 2 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[kernel]; 4 refused=[constant]; 6 refused=[program-input]; 8 inplace=0; 10 inplace=0
// transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]
// pool optimal: 2 refused=[kernel]; 4 reuse=0 refused=[constant]; 6 refused=[control-flow]; 8 inplace=0; 9 succ_reuse=[0,-1]; 10 inplace=0; 11 succ_reuse=[0,-1]
// pool transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]
// random nntrainer: 2 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 inplace=0
//   dnn.cast (v0): %v0 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.layer_norm (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.where (v3): %v3 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v6): %v6 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v5): %v3 is copied into %v5, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v5): %v4 is copied into %v5, 1 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   cf.br: %v2 is copied into %r7, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.layer_norm (v2): %v2 is not written over %v1: the operand is a constant [constant] | optimal, reinplace, pool optimal
//   dnn.where (v3): %v3 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.where (v3): %v3 is not written over %x1: it is read again on another path or iteration, by cf.br at line 11 [control-flow] | optimal, pool optimal
//   dnn.as_strided_scatter (v5): %v5 is written over %v3, operand 0 | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v6): %v6 is written over %v0, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v5): %v4 is copied into %v5, 1 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   cf.br: %v1 is copied into %r8, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.diagonal_scatter (v6): %v0 is copied into %v6, 6 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.diagonal_scatter (v6): %x2 is copied into %v6, 1 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.diagonal_scatter (v6): %x2 is copied into %v6, 1 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   cf.br: %v2 is copied into %r8, 24 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   cf.br: %v1 is copied into %r7, 24 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
