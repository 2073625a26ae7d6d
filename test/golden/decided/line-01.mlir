builtin.module {
  func.func @main(%x0: tensor<2x1x3xf32>, %x1: tensor<2x1x3xf32>, %x2: tensor<1xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<2x1x3xf32> {dnn.tied = 1 : i32}) {
    %v0 = "dnn.relu_grad"(%x0, %x1) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v1 = "dnn.less"(%v0, %v0) : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xi1>
    %v2 = "dnn.as_strided_scatter"(%v0, %x2) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<2x1x3xf32>, tensor<1xf32>) -> tensor<2x1x3xf32>
    %v3 = "dnn.fill"(%x2) {value = 3.000000e+00 : f32} : (tensor<1xf32>) -> tensor<1xf32>
    %v4 = "dnn.sigmoid"(%v2) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v5 = "dnn.as_strided"(%v2) {size = array<i64: 3>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<2x1x3xf32>) -> tensor<3xf32>
    %v6 = "dnn.tanh"(%v5) : (tensor<3xf32>) -> tensor<3xf32>
    %v7 = "dnn.concat"(%v5) {axis = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
    func.return %v7, %v3, %x0 : tensor<3xf32>, tensor<1xf32>, tensor<2x1x3xf32>
  }
}
// optimal: 2 inplace=1; 3 refused=[kernel]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]
// paddle: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 copy=; 8 refused=[engine]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 copy= inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none
// reinplace: 2 refused=[not-listed]; 3 refused=[kernel]; 4 inplace=0; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]
// transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]
// pool optimal: 2 inplace=1 reuse=0; 3 refused=[kernel]; 4 refused=[next-op-reuses]; 5 refused=[program-input]; 6 reuse=0 refused=[used-later]; 7 copy=; 8 refused=[used-later]
// pool transpiler: 2 reuse=0 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[program-input]; 6 reuse=0 refused=[used-later]; 7 copy=; 8 refused=[used-later]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[restricting-input] inplace_mode=none; 7 copy= inplace_mode=none; 8 refused=[restricting-input] inplace_mode=none; 9 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[not-listed]; 5 refused=[program-input]; 6 refused=[used-later]; 7 copy=; 8 refused=[used-later]
//   dnn.relu_grad (v0): %v0 is not written over %x1: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.relu_grad (v0): %v0 is written over %x1, operand 1 | optimal, pool optimal
//   dnn.less (v1): %v1 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   dnn.as_strided_scatter (v2): %v2 is not written over %v0: a later op already lives in that memory, as %v4, by dnn.sigmoid at line 7 [next-op-reuses] | pool optimal
//   dnn.as_strided_scatter (v2): %v2 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v3): %v3 is not written over %x2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.sigmoid (v4): %v4 is not written over %v2: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.tanh (v6): %v6 is not written over %v5: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.sigmoid (v4): %v4 is not written over %v2: the strategy's system does not do that [not-listed] | paddle
//   dnn.tanh (v6): %v6 is not written over %v5: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.as_strided_scatter (v2): %v0 is copied into %v2, 24 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v2): %x2 is copied into %v2, 4 bytes: the strategy's system does not do that [not-listed]; `strategy=optimal` goes by contracts alone | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.as_strided_scatter (v2): %v2 is written over %v0, operand 0 | optimal, reinplace
//   dnn.fill (v3): %v3 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.sigmoid (v4): %v4 is not written over %v2: it is read later [used-later] | reinplace
//   dnn.tanh (v6): %v6 is not written over %v5: it is read later [used-later] | reinplace
//   dnn.sigmoid (v4): %v4 is not written over %v2: it is read later, by dnn.as_strided at line 8 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.tanh (v6): %v6 is not written over %v5: it is read later, by dnn.concat at line 10 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.as_strided_scatter (v2): %v0 is copied into %v2, 24 bytes: a later op already lives in that memory, by dnn.sigmoid at line 7 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.as_strided_scatter (v2): %x2 is copied into %v2, 4 bytes: a later op already lives in that memory, by dnn.sigmoid at line 7 [next-op-reuses]; drop the decision made before, or decide in place before storages get numbers | pool optimal
//   dnn.as_strided_scatter (v2): %x2 is copied into %v2, 4 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal, reinplace
//   dnn.as_strided (v5): %v2 is copied into %v5, 12 bytes: the operand does not lie row-major there and a kernel needs that, by dnn.concat at line 10 [layout]; use an op whose contract is `strided` | all
//   dnn.concat (v7): %v5 is copied into %v7, 12 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | all
//   func.return: %x0 is copied into the memory of result 2, 24 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
