builtin.module {
  func.func @main(%x0: tensor<4x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<4x4xf32> {
    %v1 = "dnn.neg"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v3 = scf.if %c -> (tensor<4x4xf32>) {
      scf.yield %v1 : tensor<4x4xf32>
    } else {
      %v2 = "dnn.concat"(%v1) {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v2 : tensor<4x4xf32>
    }
    %v4 = "dnn.neg"(%v1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.neg"(%v4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v5 : tensor<4x4xf32>
  }
}
// optimal: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0
// paddle: 2 refused=[not-listed]; 3 reuse=0; 5 reuse=0; 7 refused=[not-listed]; 8 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0 inplace_mode=none; 5 reuse=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0
// transpiler: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0
// pool optimal: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0 reuse=0; 8 inplace=0
// pool transpiler: 2 inplace=0; 3 reuse=1; 5 reuse=1; 7 inplace=0 reuse=0; 8 inplace=0
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0 inplace_mode=none; 5 reuse=0 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none
// random transpiler: 2 inplace=0; 3 reuse=0; 5 reuse=0; 7 inplace=0; 8 inplace=0
//   dnn.neg (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.neg (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v4): %v4 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.neg (v5): %v5 is not written over %v4: the strategy's system does not do that [not-listed] | paddle, nntrainer
//   scf.yield: %v1 is copied into %v3, 64 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.concat (v2): %v1 is copied into %v2, 64 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | transpiler, pool transpiler, random transpiler
//   dnn.concat (v2): %v1 is copied into %v2, 64 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, random nntrainer
//   dnn.neg (v1): %v1 is written over %x0, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v4): %v4 is written over %v1, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.neg (v5): %v5 is written over %v4, operand 0 | optimal, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
