builtin.module {
  func.func @main(%x0: tensor<3xf32>) -> (tensor<3xf32> {dnn.tied = 0 : i32}, tensor<2x3xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[2.500000e+00], [5.000000e-01]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
    %v1 = "dnn.expand"(%v0) : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %v2 = "dnn.greater_or_equal"(%v1, %v1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %v3 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v4 = "dnn.reshape"(%v3) : (tensor<2x3xf32>) -> tensor<6xf32>
    %v5 = "dnn.select_scatter"(%v3, %x0) {dim = 0 : i64, index = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %v6 = "dnn.stack"(%v5, %v3, %v5) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %v7 = "dnn.sigmoid"(%x0) : (tensor<3xf32>) -> tensor<3xf32>
    %v8 = "dnn.as_strided_scatter"(%v4, %v7) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<6xf32>, tensor<3xf32>) -> tensor<6xf32>
    %v9 = "dnn.relu"(%v7) : (tensor<3xf32>) -> tensor<3xf32>
    func.return %v9, %v5 : tensor<3xf32>, tensor<2x3xf32>
  }
}
// optimal: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[used-later]; 8 parts=0; 9 inplace=0; 10 inplace=0; 11 inplace=0
// paddle: 3 copy=; 4 refused=[kernel]; 5 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[engine]
// nntrainer: 3 copy= inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// reinplace: 3 copy=; 4 refused=[kernel]; 5 refused=[layout]; 7 refused=[used-later]; 9 refused=[program-input]; 10 inplace=0; 11 inplace=0
// transpiler: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[not-listed]; 9 inplace=0; 10 refused=[not-listed]; 11 inplace=0
// pool optimal: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[used-later]; 8 parts=0; 9 inplace=0; 10 inplace=0; 11 inplace=0
// pool transpiler: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[not-listed]; 9 inplace=0; 10 refused=[not-listed]; 11 inplace=0
// random nntrainer: 3 copy= inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 10 inplace=0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none
// random transpiler: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[not-listed]; 9 inplace=0; 10 inplace=0; 11 inplace=0
//   dnn.greater_or_equal (v2): %v2 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   dnn.scale (v3): %v3 is not written over %v1: the operand does not lie row-major there and a kernel needs that [layout] | reinplace
//   dnn.select_scatter (v5): %v5 is not written over %v3: it is read later [used-later] | reinplace
//   dnn.sigmoid (v7): %v7 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.scale (v3): %v3 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.select_scatter (v5): %v5 is not written over %v3: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sigmoid (v7): %v7 is not written over %x0: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.sigmoid (v7): %v7 is not written over %x0: the strategy's system does not do that [not-listed] | paddle
//   dnn.as_strided_scatter (v8): %v8 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler
//   dnn.relu (v9): %v9 is not written over %v7: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v9): %v9 is not written over %v7: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.scale (v3): %v3 is written over %v1, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.select_scatter (v5): %v5 is not written over %v3: it is read later, by dnn.stack at line 9 [used-later] | optimal, pool optimal
//   dnn.stack (v6): %v5 computed in place in %v6 | optimal, pool optimal
//   dnn.sigmoid (v7): %v7 is written over %x0, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.as_strided_scatter (v8): %v8 is written over %v4, operand 0 | optimal, reinplace, pool optimal, random nntrainer, random transpiler
//   dnn.relu (v9): %v9 is written over %v7, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.expand (v1): %v0 is copied into %v1, 24 bytes: the operand does not lie row-major there and a kernel needs that, by dnn.scale at line 6 [layout]; use an op whose contract is `strided` | all
//   dnn.select_scatter (v5): %v3 is copied into %v5, 24 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.select_scatter (v5): %x0 is copied into %v5, 12 bytes: it is read later [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | reinplace
//   dnn.select_scatter (v5): %v3 is copied into %v5, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.select_scatter (v5): %x0 is copied into %v5, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.stack (v6): %v5 is copied into %v6, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.as_strided_scatter (v8): %v7 is copied into %v8, 12 bytes: the op before is in place and restricts this one [restricting-input]; `strategy=optimal` has no modes | random nntrainer
//   dnn.as_strided_scatter (v8): %v4 is copied into %v8, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   dnn.as_strided_scatter (v8): %v7 is copied into %v8, 12 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler
//   func.return: %v9 is copied into the memory of result 0, 12 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | paddle, nntrainer, reinplace, random nntrainer
//   dnn.select_scatter (v5): %v3 is copied into %v5, 24 bytes: it is read later, by dnn.stack at line 9 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.select_scatter (v5): %x0 is copied into %v5, 12 bytes: it is read later, by dnn.stack at line 9 [used-later]; move the op that reads it later before this one; `--plan-pass` tries that | optimal, pool optimal
//   dnn.stack (v6): %v3 is copied into %v6, 24 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | all
//   dnn.stack (v6): %v5 is copied into %v6, 24 bytes: the same value is another operand too [repeated-operand]; `allow_same_operand` in the op's contract, if its kernel allows it | optimal, pool optimal
//   dnn.as_strided_scatter (v8): %v7 is copied into %v8, 12 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace, pool optimal, random transpiler
//   func.return: %v5 is copied into the memory of result 1, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | optimal, pool optimal
