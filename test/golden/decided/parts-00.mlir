builtin.module {
  func.func @main(%x0: tensor<2x3xi32> {dnn.donated}, %x1: tensor<3xi32> {dnn.donated}, %x2: tensor<1x3xf32>) -> tensor<9x3xf32> {
    %v0 = "dnn.add"(%x0, %x0) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %v1 = "dnn.constant"() {value = dense<[[-5.000000e-01, 3.500000e+00, 5.000000e-01], [-5.000000e-01, 5.000000e-01, 3.500000e+00], [-5.000000e-01, 3.500000e+00, -1.500000e+00]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
    %v2 = "dnn.concat"(%v1, %v1, %v1) {axis = 0 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<9x3xf32>
    %v3 = "dnn.stack"(%v1, %v1) {axis = 0 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<2x3x3xf32>
    %v4 = "dnn.select_scatter"(%v0, %x1) {dim = 0 : i64, index = -2 : i64} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
    %v5 = "dnn.copy"(%v4) : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %v6 = "dnn.slice_scatter"(%v2, %x2) {dim = 0 : i64, start = 7 : i64, end = 9 : i64, step = 2 : i64} : (tensor<9x3xf32>, tensor<1x3xf32>) -> tensor<9x3xf32>
    func.return %v6 : tensor<9x3xf32>
  }
}
// optimal: 2 inplace=0; 6 inplace=0; 8 inplace=0
// paddle: 2 refused=[engine]; 6 refused=[not-listed]; 8 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 6 inplace=0; 8 inplace=0
// transpiler: 2 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]
// pool optimal: 2 inplace=0 reuse=0; 6 inplace=0 reuse=0; 7 reuse=0; 8 inplace=0
// pool transpiler: 2 reuse=1 refused=[not-listed]; 6 reuse=0 refused=[not-listed]; 7 reuse=1; 8 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 inplace_mode=none; 8 inplace=0 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 6 inplace=0; 8 inplace=0
//   dnn.add (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.add (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v0): %v0 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.select_scatter (v4): %v4 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v6): %v6 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.add (v0): %v0 is written over %x0, operand 0 | optimal, pool optimal
//   dnn.select_scatter (v4): %v4 is written over %v0, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.slice_scatter (v6): %v6 is written over %v2, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.concat (v2): %v1 is copied into %v2, 36 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal 3 times, paddle 3 times, nntrainer 3 times, reinplace 3 times, transpiler 3 times, pool optimal 3 times, pool transpiler 3 times, random nntrainer 3 times, random transpiler 3 times
//   dnn.stack (v3): %v1 is copied into %v3, 36 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.select_scatter (v4): %v0 is copied into %v4, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.select_scatter (v4): %x1 is copied into %v4, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.copy (v5): %v4 is copied into %v5, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler
//   dnn.slice_scatter (v6): %v2 is copied into %v6, 108 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.slice_scatter (v6): %x2 is copied into %v6, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.select_scatter (v4): %x1 is copied into %v4, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.copy (v5): %v4 is copied into %v5, 24 bytes: no kernel of this op writes over that operand [kernel]; declare an `InPlace` in the op's contract, if its kernel allows it | reinplace, random nntrainer, random transpiler
//   dnn.copy (v5): %v4 is copied into %v5, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, pool transpiler
//   dnn.slice_scatter (v6): %x2 is copied into %v6, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random nntrainer, random transpiler
