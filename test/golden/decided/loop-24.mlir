builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v6 = scf.if %c -> (tensor<2x4xf32>) {
      %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
      scf.yield %v3 : tensor<2x4xf32>
    } else {
      %v4 = "dnn.reduce_sum"(%x0) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      %v5 = "dnn.reduce_sum"(%v4) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %x0 : tensor<2x4xf32>
    }
    %v7 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    func.return %v8 : tensor<2x4xf32>
  }
}
// optimal: 4 reuse=0; 5 inplace=0; 7 refused=[kernel]; 8 refused=[kernel]; 10 inplace=0; 11 inplace=0
// paddle: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 reuse=0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// reinplace: 4 reuse=0; 5 reuse=0 refused=[program-input]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[program-input]; 11 refused=[program-input]
// transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]
// pool optimal: 4 reuse=0; 5 inplace=0; 7 refused=[kernel]; 8 refused=[kernel]; 10 inplace=0; 11 inplace=0
// pool transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]
// random nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 reuse=0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none
// random transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.reduce_sum (v4): %v4 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   dnn.reduce_sum (v5): %v5 is not written over %v4: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v7): %v7 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v7): %v7 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v8 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v2 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %x0 is copied into %v6, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %x0 is copied into %v7, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v7): %v2 is copied into %v7, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v8): %v2 is copied into %v8, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v7): %x0 is copied into %v7, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v2 is copied into %v7, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %x0 is copied into %v8, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v8): %v2 is copied into %v8, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v7): %v7 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v8): %v8 is written over %x0, operand 0 | optimal, pool optimal
//   func.return: %v8 is copied into the memory of result 0, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, pool optimal
