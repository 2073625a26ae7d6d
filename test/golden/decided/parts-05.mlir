builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32> {dnn.donated}, %x1: tensor<3x1xf32> {dnn.donated}, %x2: tensor<2x3x1xf32>, %x3: tensor<2x3x1xi1>) -> (tensor<4x3x1xi1>, tensor<2x3x1xi1> {dnn.tied = 3 : i32}, tensor<2x3x2xf32>) {
    %v0 = "dnn.diagonal_scatter"(%x0, %x1) {offset = 1 : i64, dim1 = 2 : i64, dim2 = 0 : i64} : (tensor<2x3x2xf32>, tensor<3x1xf32>) -> tensor<2x3x2xf32>
    %v1 = "dnn.zeros"(%v0) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.neg"(%v1) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v3 = "dnn.slice"(%v0) {dim = 2 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
    %v4 = "dnn.neg"(%v3) : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    %v5 = "dnn.slice_scatter"(%v0, %x2) {dim = 2 : i64, start = 0 : i64, end = 2 : i64, step = 2 : i64} : (tensor<2x3x2xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
    %v6 = "dnn.masked_fill"(%x2, %x3) {value = 7.000000e+00 : f32} : (tensor<2x3x1xf32>, tensor<2x3x1xi1>) -> tensor<2x3x1xf32>
    %v7 = "dnn.concat"(%x3, %x3) {axis = 0 : i64} : (tensor<2x3x1xi1>, tensor<2x3x1xi1>) -> tensor<4x3x1xi1>
    func.return %v7, %x3, %v5 : tensor<4x3x1xi1>, tensor<2x3x1xi1>, tensor<2x3x2xf32>
  }
}
// optimal: 2 inplace=0; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]
// paddle: 2 refused=[not-listed]; 3 refused=[not-listed]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 refused=[not-listed]; 8 refused=[not-listed]
// pool optimal: 2 refused=[next-op-reuses]; 3 reuse=0 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[program-input]
// pool transpiler: 2 refused=[not-listed]; 3 reuse=0 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 refused=[not-listed]; 8 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace=0 inplace_mode=none; 5 inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 4 inplace=0; 6 inplace=0; 7 refused=[not-listed]; 8 refused=[not-listed]
//   dnn.diagonal_scatter (v0): %v0 is not written over %x0: a later op already lives in that memory, as %v1, by dnn.zeros at line 4 [next-op-reuses] | pool optimal
//   dnn.diagonal_scatter (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.zeros (v1): %v1 is not written over %v0: it is read later [used-later] | reinplace
//   dnn.diagonal_scatter (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.zeros (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.neg (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.slice_scatter (v5): %v5 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.masked_fill (v6): %v6 is not written over %x2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v0): %x0 is copied into %v0, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v0): %x1 is copied into %v0, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v0 is copied into %v5, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %x2 is copied into %v5, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.diagonal_scatter (v0): %v0 is written over %x0, operand 0 | optimal
//   dnn.zeros (v1): %v1 is not written over %v0: it is read later, as %v3, by dnn.neg at line 7 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v2): %v2 is written over %v1, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v4): %v4 is written over %v3, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v5): %v5 is written over %v0, operand 0 | optimal, reinplace, pool optimal
//   dnn.masked_fill (v6): %v6 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.diagonal_scatter (v0): %x0 is copied into %v0, 48 bytes: a later op already lives in that memory, by dnn.zeros at line 4 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.diagonal_scatter (v0): %x1 is copied into %v0, 12 bytes: a later op already lives in that memory, by dnn.zeros at line 4 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.diagonal_scatter (v0): %x0 is copied into %v0, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.diagonal_scatter (v0): %x1 is copied into %v0, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace
//   dnn.slice_scatter (v5): %x2 is copied into %v5, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.concat (v7): %x3 is copied into %v7, 6 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
