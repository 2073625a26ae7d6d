builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x6xf32>, %x2: tensor<2x3x2xf32>, %x3: tensor<1x6xf32>, %x4: tensor<1x2xf32>) -> tensor<2x3x2xf32> {
    %v0 = "dnn.constant"() {value = dense<[0, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v1 = "dnn.fused_gru"(%x0, %x1, %x2, %x3, %x4, %v0) {is_reverse = true, origin_mode = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (tensor<2x2xf32>, tensor<2x6xf32>, tensor<2x3x2xf32>, tensor<1x6xf32>, tensor<1x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
    %v2 = "dnn.scale"(%x2) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v3 = "dnn.constant"() {value = dense<[[1.500000e+00], [5.000000e-01]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
    %v4 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.gemm"(%v4, %v3) {transA = 0 : i64, transB = 0 : i64, beta = 2.000000e+00 : f32} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v6 = "dnn.slice_scatter"(%v1, %x4) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.concat"(%v4) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v8 = "dnn.constant"() {value = dense<[[[-5.000000e-01], [2.500000e+00], [-2.500000e+00]], [[-1.500000e+00], [3.500000e+00], [3.500000e+00]]]> : tensor<2x3x1xf32>} : () -> tensor<2x3x1xf32>
    %v9 = "dnn.slice_scatter"(%x2, %v8) {dim = 2 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x3x2xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
    func.return %v9 : tensor<2x3x2xf32>
  }
}
// optimal: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[used-later]; 7 refused=[kernel]; 8 inplace=0; 9 parts=0; 11 refused=[program-input]
// paddle: 3 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[used-later]; 7 refused=[kernel]; 8 inplace=0; 11 refused=[program-input]
// transpiler: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 3 reuse=0 refused=[kernel]; 4 refused=[program-input]; 6 refused=[next-op-reuses]; 7 refused=[kernel]; 8 inplace=0; 9 reuse=0; 11 refused=[program-input]
// pool transpiler: 3 reuse=0 refused=[kernel]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 9 reuse=0; 11 refused=[not-listed]
// random nntrainer: 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 3 refused=[kernel]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.fused_gru (v1): %v1 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.scale (v2): %v2 is not written over %x2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.slice_scatter (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.scale (v2): %v2 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %v1: a later op already lives in that memory, as %v7, by dnn.concat at line 10 [next-op-reuses] | pool optimal
//   dnn.slice_scatter (v4): %v4 is not written over %v1: it is read later [used-later] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %v1: it is read later, by dnn.slice_scatter at line 9 [used-later] | optimal
//   dnn.gemm (v5): %v5 is not written over %v4: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v6): %v6 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v9): %v9 is not written over %x2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v1 is copied into %v6, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %x4 is copied into %v6, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v7): %v4 is copied into %v7, 16 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v9): %x2 is copied into %v9, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v9): %v8 is copied into %v9, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is written over %v1, operand 0 | optimal, reinplace, pool optimal
//   dnn.concat (v7): %v4 computed in place in %v7 | optimal
//   dnn.slice_scatter (v9): %v9 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: a later op already lives in that memory, by dnn.concat at line 10 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 8 bytes: a later op already lives in that memory, by dnn.concat at line 10 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 8 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: it is read later, by dnn.slice_scatter at line 9 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal
//   dnn.slice_scatter (v4): %v3 is copied into %v4, 8 bytes: it is read later, by dnn.slice_scatter at line 9 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal
//   dnn.slice_scatter (v6): %x4 is copied into %v6, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v9): %x2 is copied into %v9, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.slice_scatter (v9): %v8 is copied into %v9, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
