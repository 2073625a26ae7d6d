builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.transpose"(%v1) {perm = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.slice"(%v4) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
    func.return %v5, %v2 : tensor<2x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 3 inplace=0; 5 inplace=0
// paddle: 3 refused=[not-listed]; 5 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none
// reinplace: 3 refused=[program-input]; 5 refused=[program-input]
// transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]
// pool optimal: 3 inplace=0; 5 inplace=0
// pool transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 5 refused=[not-listed]
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %x0 is copied into %v4, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v4): %v1 is copied into %v4, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v2 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v4): %v4 is written over %x0, operand 0 | optimal, pool optimal
//   func.return: %v5 is copied into the memory of result 0, 16 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
