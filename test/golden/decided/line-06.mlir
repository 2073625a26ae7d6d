builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32>) -> (tensor<6xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[3.500000e+00, -5.000000e-01], [1.500000e+00, -2.500000e+00], [1.500000e+00, -2.500000e+00]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
    %v1 = "dnn.select_scatter"(%x0, %v0) {dim = 0 : i64, index = -2 : i64} : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.select"(%v0) {dim = 0 : i64, index = -2 : i64} : (tensor<3x2xf32>) -> tensor<2xf32>
    %v3 = "dnn.sqrt"(%v2) : (tensor<2xf32>) -> tensor<2xf32>
    %v4 = "dnn.maximum"(%v3, %v3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %v5 = "dnn.clip"(%v2) {min = -1.000000e+00 : f32, max = 1.000000e+00 : f32} : (tensor<2xf32>) -> tensor<2xf32>
    %v6 = "dnn.concat"(%v3, %v3, %v4) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
    %v7 = "dnn.mul"(%v6, %v6) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v8 = "dnn.mul"(%v6, %v7) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    func.return %v8, %v1, %v1 : tensor<6xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>
  }
}
// optimal: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[used-later]; 7 refused=[constant]; 8 parts=0,2; 9 refused=[used-later]; 10 inplace=0
// paddle: 3 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// reinplace: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[repeated-operand]; 7 refused=[constant]; 9 refused=[repeated-operand]; 10 inplace=0
// transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[not-listed]; 10 refused=[not-listed]
// pool optimal: 3 refused=[program-input]; 5 refused=[constant]; 6 refused=[used-later]; 7 refused=[constant]; 8 parts=0,2; 9 refused=[used-later]; 10 inplace=0
// pool transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[not-listed]; 10 refused=[not-listed]
// random nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace=1 inplace_mode=none
// random transpiler: 3 refused=[not-listed]; 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[not-listed]; 10 inplace=1
//   dnn.select_scatter (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sqrt (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | nntrainer, random nntrainer
//   dnn.sqrt (v3): %v3 is not written over %v2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.maximum (v4): %v4 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.clip (v5): %v5 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.mul (v7): %v7 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v8): %v8 is written over %v7, operand 1 | random nntrainer, random transpiler
//   dnn.mul (v8): %v8 is not written over %v6: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.select_scatter (v1): %x0 is copied into %v1, 48 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v1): %v0 is copied into %v1, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v3 is copied into %v6, 8 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v6): %v4 is copied into %v6, 8 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.sqrt (v3): %v3 is not written over %v2: the operand is a constant [constant] | reinplace
//   dnn.maximum (v4): %v4 is not written over %v3: the same value is another operand too [repeated-operand] | reinplace
//   dnn.clip (v5): %v5 is not written over %v2: the operand is a constant [constant] | reinplace
//   dnn.mul (v7): %v7 is not written over %v6: the same value is another operand too [repeated-operand] | reinplace
//   dnn.sqrt (v3): %v3 is not written over %v2: the operand is a constant, as %v0 [constant] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.maximum (v4): %v4 is not written over %v3: it is read later, by dnn.concat at line 9 [used-later] | optimal, pool optimal
//   dnn.clip (v5): %v5 is not written over %v2: the operand is a constant, as %v0 [constant] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.concat (v6): %v3, %v4 computed in place in %v6 | optimal, pool optimal
//   dnn.mul (v7): %v7 is not written over %v6: it is read later, by dnn.mul at line 11 [used-later] | optimal, pool optimal
//   dnn.mul (v8): %v8 is written over %v6, operand 0 | optimal, reinplace, pool optimal
//   dnn.select_scatter (v1): %x0 is copied into %v1, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | optimal, reinplace, pool optimal
//   dnn.select_scatter (v1): %v0 is copied into %v1, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   dnn.concat (v6): %v3 is copied into %v6, 8 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
//   func.return: %v1 is copied into the memory of result 2, 48 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
