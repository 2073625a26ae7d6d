builtin.module {
  func.func @main(%x0: tensor<2x3x2xi32>, %x1: tensor<4xf64>, %x2: tensor<3x4xf32> {dnn.donated}, %x3: tensor<2xf32>) -> (tensor<3x4xi32>, tensor<4xf64>) {
    %v0 = "dnn.add"(%x0, %x0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
    %v1 = "dnn.equal"(%v0, %x0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi1>
    %v2 = "dnn.reduce_mean"(%x1) {axes = array<i64: 0>, keepdims = false} : (tensor<4xf64>) -> tensor<f64>
    %v3 = "dnn.concat"(%x2) {axis = 0 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %v4 = "dnn.relu_grad"(%v2, %v2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %v5 = "dnn.concat"(%x2, %x2, %v3) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
    %v6 = "dnn.concat"(%x2, %v3) {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    %v7 = "dnn.as_strided_scatter"(%v5, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 32 : i64} : (tensor<9x4xf32>, tensor<2xf32>) -> tensor<9x4xf32>
    %v8 = "dnn.add"(%v6, %v6) : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
    %v9 = "dnn.constant"() {value = dense<[[2, 2, -2, -2], [-2, 0, -3, -2], [3, -2, 3, -1]]> : tensor<3x4xi32>} : () -> tensor<3x4xi32>
    func.return %v9, %x1 : tensor<3x4xi32>, tensor<4xf64>
  }
}
// optimal: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=0; 7 parts=2; 9 inplace=0; 10 inplace=0
// paddle: 2 refused=[engine]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[engine]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[repeated-operand]; 9 inplace=0; 10 refused=[repeated-operand]
// transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]
// pool optimal: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=0; 7 parts=2; 9 inplace=0; 10 inplace=0
// pool transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 6 inplace=1 inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace=1 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=1; 9 refused=[not-listed]; 10 inplace=1
//   dnn.add (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v0): %v0 is not written over %x0: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.add (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.equal (v1): %v1 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   dnn.reduce_mean (v2): %v2 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.relu_grad (v4): %v4 is written over %v2, operand 1 | random nntrainer, random transpiler
//   dnn.relu_grad (v4): %v4 is not written over %v2: the same value is another operand too [repeated-operand] | reinplace
//   dnn.relu_grad (v4): %v4 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v7): %v7 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.add (v8): %v8 is written over %v6, operand 1 | random nntrainer, random transpiler
//   dnn.add (v8): %v8 is not written over %v6: the strategy's system does not do that [not-listed] | nntrainer, transpiler, pool transpiler
//   dnn.add (v8): %v8 is not written over %v6: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.relu_grad (v4): %v4 is written over %v2, operand 0 | optimal, pool optimal
//   dnn.concat (v5): %v3 computed in place in %v5 | optimal, pool optimal
//   dnn.as_strided_scatter (v7): %v7 is written over %v5, operand 0 | optimal, reinplace, pool optimal
//   dnn.add (v8): %v8 is not written over %v6: the same value is another operand too [repeated-operand] | reinplace
//   dnn.add (v8): %v8 is written over %v6, operand 0 | optimal, pool optimal
//   dnn.concat (v3): %x2 is copied into %v3, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v5): %x2 is copied into %v5, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v5): %v3 is copied into %v5, 48 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %x2 is copied into %v6, 48 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v6): %v3 is copied into %v6, 48 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v7): %v5 is copied into %v7, 144 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v7): %x3 is copied into %v7, 8 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v3 is copied into %v6, 48 bytes: the memory is used for another result, by dnn.concat at line 8 [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | optimal, pool optimal
//   dnn.as_strided_scatter (v7): %x3 is copied into %v7, 8 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal
//   func.return: %v9 is copied into the memory of result 0, 48 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   func.return: %x1 is copied into the memory of result 1, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
