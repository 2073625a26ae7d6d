builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<1x2xf32> {
    %v1 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.add"(%x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.reduce_sum"(%v2) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    func.return %v5 : tensor<1x2xf32>
  }
}
// optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[kernel]
// paddle: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[engine]; 6 refused=[kernel]
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[kernel]
// transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]
// pool optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[kernel]
// pool transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]
// random nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[kernel]
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.slice_scatter (v2): %v2 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v3 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v4): %v4 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.slice_scatter (v2): %v2 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.slice_scatter (v3): %v3 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.add (v4): %v4 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.reduce_sum (v5): %v5 is not written over %v2: no kernel of this op writes over that operand [kernel] | all
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | reinplace
//   dnn.slice_scatter (v3): %v1 is copied into %v3, 16 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | reinplace
//   dnn.slice_scatter (v2): %x0 is copied into %v2, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v2): %v1 is copied into %v2, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %x0 is copied into %v3, 32 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.slice_scatter (v3): %v1 is copied into %v3, 16 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
