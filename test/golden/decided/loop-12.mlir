builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %x1: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<4x4xf32>, tensor<4x2xf32>) {
    %v1 = "dnn.sub"(%x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %v9, %v10 = scf.while (%v2 = %x0, %v3 = %v1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
      %v6 = "dnn.pad"(%v3) {pads = array<i64: 0, 0, 2, 0>} : (tensor<4x2xf32>) -> tensor<6x2xf32>
      scf.condition(%c) %v2, %v3 : tensor<4x2xf32>, tensor<4x2xf32>
    } do {
    ^bb0(%v4: tensor<4x2xf32>, %v5: tensor<4x2xf32>):
      %v7 = "dnn.slice"(%v5) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %v8 = "dnn.gemm"(%v1, %x1, %v5) : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v8, %v4 : tensor<4x2xf32>, tensor<4x2xf32>
    }
    %v11 = "dnn.concat"(%v1, %v1) {axis = 1 : i64} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
    func.return %v11, %v10 : tensor<4x4xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 3 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[control-flow]; 7 inplace=2
// paddle: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace=0,-1 refused=[control-flow] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 inplace=0,-1 refused=[control-flow]; 7 inplace=2
// transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]
// pool optimal: 2 refused=[repeated-operand]; 3 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[control-flow]; 7 inplace=2
// pool transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace=0,-1 refused=[control-flow] inplace_mode=none; 4 inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 inplace=0,-1 refused=[control-flow]; 7 refused=[not-listed]
//   dnn.sub (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | reinplace
//   dnn.sub (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sub (v1): %v1 is not written over %x0: the same value is another operand too [repeated-operand] | optimal, pool optimal
//   scf.while (v9, v10): %v9 is written over %x0, operand 0 | all
//   scf.while (v9, v10): %v10 is not written over %v1: it is read again on another path or iteration [control-flow] | all
//   dnn.gemm (v8): %v8 is not written over %v5: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v8): %v8 is written over %v5, operand 2 | optimal, reinplace, pool optimal
//   scf.while (v9, v10): %v1 is copied into %v3, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.condition: %v3 is copied into %v10, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.gemm (v8): %v5 is copied into %v8, 32 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v8 is copied to a temporary, 32 bytes: values exchange their places, so one is copied to a temporary [cycle]; carry them in the same order | optimal, pool optimal
//   scf.yield: %v4 is copied into %v3, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   scf.yield: %v8 is copied into %v2, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
//   dnn.concat (v11): %v1 is copied into %v11, 32 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
