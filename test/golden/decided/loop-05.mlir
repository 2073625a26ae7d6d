builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> (tensor<8x2xf32>, tensor<8x4xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %v2 = "dnn.slice"(%v1) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<8x4xf32>) -> tensor<8x2xf32>
    %v3 = "dnn.neg"(%v2) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %v13, %v14 = scf.while (%v4 = %x0, %v5 = %v2) : (tensor<4x4xf32>, tensor<8x2xf32>) -> (tensor<4x4xf32>, tensor<8x2xf32>) {
      %v8 = "dnn.exp"(%v2) {dnn.engine = "cpu"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
      scf.condition(%c) %v4, %v8 : tensor<4x4xf32>, tensor<8x2xf32>
    } do {
    ^bb0(%v6: tensor<4x4xf32>, %v7: tensor<8x2xf32>):
      %v9 = "dnn.slice"(%v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<8x2xf32>) -> tensor<8x1xf32>
      %v10 = "dnn.concat"(%v6, %v6, %x0) {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
      %v11 = "dnn.slice"(%v10) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x12xf32>) -> tensor<4x2xf32>
      %v12 = "dnn.abs"(%v11) : (tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v6, %v7 : tensor<4x4xf32>, tensor<8x2xf32>
    }
    %v15 = "dnn.fill"(%v14) {value = 1.000000e+00 : f32} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    func.return %v15, %v1 : tensor<8x2xf32>, tensor<8x4xf32>
  }
}
// optimal: 4 refused=[used-later]; 5 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[layout]; 6 reuse=0 refused=[layout]; 11 inplace=0; 13 inplace=0
// paddle: 4 refused=[not-listed]; 5 refused=[program-input layout]; 6 refused=[not-listed]; 11 refused=[engine]; 13 refused=[not-listed]
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input layout] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none
// reinplace: 4 refused=[used-later]; 5 refused=[program-input layout]; 6 refused=[returned]; 11 inplace=0; 13 inplace=0
// transpiler: 4 refused=[used-later]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 inplace=0
// pool optimal: 4 refused=[used-later]; 5 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[layout]; 6 reuse=0 refused=[layout]; 11 inplace=0; 13 inplace=0
// pool transpiler: 4 refused=[used-later]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 inplace=0
// random nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input layout] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=none; 13 inplace=0 inplace_mode=none
// random transpiler: 4 refused=[used-later]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 inplace=0
//   dnn.neg (v3): %v3 is not written over %v2: it is read later [used-later] | reinplace
//   dnn.neg (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   scf.while (v13, v14): %v13 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.neg (v3): %v3 is not written over %v2: it is read later, by scf.while at line 6 [used-later] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   scf.while (v13, v14): %v13 is written over %x0, operand 0 | optimal, pool optimal
//   scf.while (v13, v14): %v14 is not written over %v2: the operand does not lie row-major there and a kernel needs that [layout] | all
//   dnn.exp (v8): %v8 is not written over %v2: it is returned [returned] | reinplace
//   dnn.exp (v8): %v8 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.abs (v12): %v12 is not written over %v11: the strategy's system does not do that [not-listed] | nntrainer
//   dnn.abs (v12): %v12 is not written over %v11: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.fill (v15): %v15 is not written over %v14: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   dnn.exp (v8): %v8 is not written over %v2: the operand does not lie row-major there and a kernel needs that [layout] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.abs (v12): %v12 is written over %v11, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.fill (v15): %v15 is written over %v14, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v1): %x0 is copied into %v1, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   scf.while (v13, v14): %x0 is copied into %v4, 64 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.while (v13, v14): %v2 is copied into %v5, 64 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | all
//   scf.condition: %v4 is copied into %v13, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.condition: %v8 is copied into %v14, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v10): %v6 is copied into %v10, 64 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   dnn.concat (v10): %v6 is copied into %v10, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | optimal 2 times, pool optimal 2 times
//   dnn.concat (v10): %x0 is copied into %v10, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   scf.yield: %v6 is copied into %v4, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v7 is copied into %v5, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
