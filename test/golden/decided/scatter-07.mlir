builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<1x2xf32>, tensor<4x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    %v5 = "dnn.pad"(%v2) {pads = array<i64: 0, 0, 2, 0>} : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %v6, %v7 = "dnn.multiout"(%v2) : (tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
    %v8 = "dnn.fill"(%v6) {value = 1.000000e+00 : f32} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    func.return %v8, %v1, %v6 : tensor<1x2xf32>, tensor<4x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 4 inplace=0; 5 inplace=0; 8 refused=[program-input]
// paddle: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 8 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 8 refused=[program-input]
// transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[program-input]
// pool optimal: 4 inplace=0; 5 inplace=0; 8 refused=[program-input]
// pool transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[program-input]
// random nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=restricting; 8 refused=[not-listed] inplace_mode=none
// random transpiler: 4 refused=[not-listed]; 5 refused=[not-listed]; 8 refused=[program-input]
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.fill (v8): %v8 is not written over %v6: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v8): %v8 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.fill (v8): %v8 is not written over %v6: the operand is memory of the caller, neither donated nor tied, as %x0 [program-input] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v1): %x0 is copied into %v1, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v2 is copied into %v4, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   func.return: %v6 is copied into the memory of result 2, 8 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
