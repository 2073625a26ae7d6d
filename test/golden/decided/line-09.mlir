builtin.module {
  func.func @main(%x0: tensor<2x1x3xi64> {dnn.donated}, %x1: tensor<6xf32> {dnn.donated}) -> tensor<22xf32> {
    %v0, %v1, %v2 = "dnn.unbind"(%x0) {axis = 2 : i64} : (tensor<2x1x3xi64>) -> (tensor<2x1xi64>, tensor<2x1xi64>, tensor<2x1xi64>)
    %v3 = "dnn.leaky_relu"(%x1) : (tensor<6xf32>) -> tensor<6xf32>
    %v4 = "dnn.reshape"(%v2) : (tensor<2x1xi64>) -> tensor<1x2xi64>
    %v5 = "dnn.pad"(%v3) {pads = array<i64: 2, 2>, value = 1.500000e+00 : f32} : (tensor<6xf32>) -> tensor<10xf32>
    %v6 = "dnn.concat"(%x1, %v5, %v3) {axis = 0 : i64} : (tensor<6xf32>, tensor<10xf32>, tensor<6xf32>) -> tensor<22xf32>
    func.return %v6 : tensor<22xf32>
  }
}
// optimal: 3 refused=[used-later]; 5 parts=0; 6 parts=1
// paddle: 3 refused=[engine]
// nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none
// reinplace: 3 refused=[program-input]
// transpiler: 3 refused=[used-later]
// pool optimal: 3 refused=[used-later]; 5 parts=0; 6 parts=1
// pool transpiler: 3 refused=[used-later]
// random nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none
// random transpiler: 3 refused=[used-later]
//   dnn.leaky_relu (v3): %v3 is not written over %x1: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.leaky_relu (v3): %v3 is not written over %x1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.leaky_relu (v3): %v3 is not written over %x1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.leaky_relu (v3): %v3 is not written over %x1: it is read later, by dnn.concat at line 7 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.pad (v5): %v3 computed in place in %v5 | optimal, pool optimal
//   dnn.concat (v6): %v5 computed in place in %v6 | optimal, pool optimal
//   dnn.concat (v6): %x1 is copied into %v6, 24 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v6): %v5 is copied into %v6, 40 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v3 is copied into %v6, 24 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v6): %v3 is copied into %v6, 24 bytes: the memory is used for another result, by dnn.pad at line 6 [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | optimal, pool optimal
