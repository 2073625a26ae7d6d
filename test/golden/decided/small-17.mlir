builtin.module {
  func.func @main(%x0: tensor<2x1x3xf64>, %x1: tensor<1x4xf32>, %x2: tensor<3x3xf64>, %x3: tensor<3x3xi1>, %x4: tensor<1x4xf32> {dnn.donated}, %c0: i1) -> tensor<2x2xf64> {
    %v0 = "dnn.exp"(%x0) {dnn.engine = "cpu"} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %r4, %r5 = scf.if %c0 -> (tensor<1x4xf32>, tensor<2x1x3xf64>) {
      %v1 = "dnn.gemm"(%x1, %x1) {transA = 1 : i64, transB = 0 : i64, beta = 2.000000e+00 : f32, dnn.engine = "cpu"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
      scf.yield %x1, %x0 : tensor<1x4xf32>, tensor<2x1x3xf64>
    } else {
      %v2 = "dnn.where"(%x3, %x2, %x2) : (tensor<3x3xi1>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %v3 = "dnn.sum"(%v2) : (tensor<3x3xf64>) -> tensor<3x3xf64>
      scf.yield %x4, %v0 : tensor<1x4xf32>, tensor<2x1x3xf64>
    }
    %v6 = "dnn.constant"() {value = dense<[[-2.500000e+00, -1.500000e+00], [-5.000000e-01, 2.500000e+00]]> : tensor<2x2xf64>} : () -> tensor<2x2xf64>
    %v7 = "dnn.tanh"(%v6) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %r8 = func.call @f0(%v7) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %v9 = "dnn.pad"(%v7) {pads = array<i64: 1, 0, 1, 2>, value = 1.500000e+00 : f32} : (tensor<2x2xf64>) -> tensor<4x4xf64>
    func.return %r8 : tensor<2x2xf64>
  }
  func.func private @f0(tensor<2x2xf64>) -> tensor<2x2xf64>
}
// optimal: 2 reuse=0 refused=[program-input]; 3 reuse=1,0; 4 refused=[kernel]; 6 refused=[program-input]; 7 inplace=0; 10 refused=[constant]; 12 parts=0
// paddle: 2 refused=[not-listed]; 4 refused=[kernel]; 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[engine]
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 refused=[constant] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none
// reinplace: 2 refused=[program-input]; 4 refused=[kernel]; 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[constant]
// transpiler: 2 refused=[program-input]; 4 refused=[kernel]; 6 refused=[not-listed]; 7 inplace=0; 10 refused=[constant]
// pool optimal: 2 reuse=0 refused=[program-input]; 3 reuse=1,0; 4 refused=[kernel]; 6 refused=[program-input]; 7 inplace=0; 10 refused=[constant]; 12 parts=0
// pool transpiler: 2 refused=[program-input]; 4 refused=[kernel]; 6 refused=[not-listed]; 7 inplace=0; 10 refused=[constant]
// random nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none; 10 refused=[constant] inplace_mode=none; 11 inplace_mode=none; 12 inplace_mode=none
// random transpiler: 2 refused=[program-input]; 4 refused=[kernel]; 6 refused=[not-listed]; 7 inplace=0; 10 refused=[constant]
//   dnn.exp (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.exp (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.gemm (v1): %v1 is not written over %x1: no kernel of this op writes over that operand [kernel] | all
//   dnn.where (v2): %v2 is not written over %x2: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   dnn.sum (v3): %v3 is not written over %v2: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace
//   dnn.tanh (v7): %v7 is not written over %v6: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.where (v2): %v2 is not written over %x2: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, pool optimal
//   dnn.sum (v3): %v3 is written over %v2, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.tanh (v7): %v7 is not written over %v6: the operand is a constant [constant] | optimal, nntrainer, reinplace, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
//   dnn.pad (v9): %v7 computed in place in %v9 | optimal, pool optimal
//   scf.yield: %x1 is copied into %r4, 16 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %x0 is copied into %r5, 48 bytes: the operand is memory of the caller, neither donated nor tied [program-input]; mark the argument `dnn.donated`, or tie a result to it with `dnn.tied` | all
//   scf.yield: %x4 is copied into %r4, 16 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %v0 is copied into %r5, 48 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
