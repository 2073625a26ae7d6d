builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.mul"(%x0, %x0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v5, %v6 = scf.if %c -> (tensor<2x4xf32>, tensor<2x4xf32>) {
      %v2 = "dnn.reduce_sum"(%v1) {axes = array<i64: 0>, keepdims = true} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      scf.yield %v1, %x0 : tensor<2x4xf32>, tensor<2x4xf32>
    } else {
      %v3 = "dnn.concat"(%x0, %v1, %v1) {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
      %v4 = "dnn.opaque"(%x0) {kind = "f"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
      scf.yield %v4, %v4 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    func.return %v6 : tensor<2x4xf32>
  }
}
// optimal: 2 reuse=0 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// paddle: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0,-1 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 reuse=0 refused=[kernel] inplace_mode=none
// reinplace: 2 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// pool optimal: 2 reuse=0 refused=[program-input]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// pool transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 reuse=0,-1 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 inplace_mode=none; 7 reuse=0 refused=[kernel] inplace_mode=none
// random transpiler: 2 refused=[not-listed]; 3 reuse=0,-1; 4 refused=[kernel]; 7 reuse=0 refused=[kernel]
//   dnn.mul (v1): %v1 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.mul (v1): %v1 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, pool optimal
//   dnn.reduce_sum (v2): %v2 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   dnn.opaque (v4): %v4 is not written over %x0: no kernel of this op writes over that operand [kernel] | all
//   scf.yield: %v1 is copied into %v5, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %x0 is copied into %v6, 32 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   dnn.concat (v3): %x0 is copied into %v3, 32 bytes: the operand is memory of the caller, so no op computes it in its part of the result [program-input]; compute the operand in the function: an op may write its result to a part of another value | all
//   dnn.concat (v3): %v1 is copied into %v3, 32 bytes: the operand does not lie row-major there and a kernel needs that [layout]; use an op whose contract is `strided` | optimal 2 times, paddle 2 times, nntrainer 2 times, reinplace 2 times, transpiler 2 times, pool optimal 2 times, pool transpiler 2 times, random nntrainer 2 times, random transpiler 2 times
//   scf.yield: %v4 is copied into %v6, 32 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | all
