builtin.module {
  func.func @main(%c0: index) -> tensor<1x1xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[3.500000e+00, 2.500000e+00, -1.500000e+00], [-2.500000e+00, -5.000000e-01, 5.000000e-01]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %v1 = "dnn.ones"(%v0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v2 = "dnn.less"(%v1, %v0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %r7, %r8 = scf.for %2 = %1 to %c0 step %0 iter_args(%r3 = %v2, %r4 = %v2) -> (tensor<2x3xi1>, tensor<2x3xi1>) {
      %v5 = "dnn.constant"() {value = dense<[[-1], [2], [-2], [-2]]> : tensor<4x1xi64>} : () -> tensor<4x1xi64>
      %v6 = "dnn.select"(%v5) {dim = 0 : i64, index = -1 : i64} : (tensor<4x1xi64>) -> tensor<1xi64>
      scf.yield %r3, %r3 : tensor<2x3xi1>, tensor<2x3xi1>
    }
    %v9 = "dnn.reduce_mean"(%v0) {axes = array<i64: 0, 1>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x3xf32>) -> tensor<1x1xf32>
    func.return %v9 : tensor<1x1xf32>
  }
}
// optimal: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,4; 11 refused=[kernel]
// paddle: 5 refused=[not-listed]; 6 refused=[kernel]; 7 inplace=3,-1 refused=[taken]; 11 refused=[kernel]
// nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace=3,-1 refused=[taken] inplace_mode=none; 9 inplace_mode=none; 11 refused=[kernel] inplace_mode=none
// reinplace: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,-1 refused=[taken]; 11 refused=[kernel]
// transpiler: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,-1 refused=[taken]; 11 refused=[kernel]
// pool optimal: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,4; 11 refused=[kernel]
// pool transpiler: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,-1 refused=[taken]; 11 refused=[kernel]
// random nntrainer: 5 refused=[not-listed] inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 7 inplace=3,-1 refused=[taken] inplace_mode=none; 9 inplace_mode=none; 11 refused=[kernel] inplace_mode=none
// random transpiler: 5 refused=[constant]; 6 refused=[kernel]; 7 inplace=3,-1 refused=[taken]; 11 refused=[kernel]
//   dnn.ones (v1): %v1 is not written over %v0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.ones (v1): %v1 is not written over %v0: the operand is a constant [constant] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.less (v2): %v2 is not written over %v1: no kernel of this op writes over that operand [kernel] | all
//   scf.for (r7, r8): %r7 is written over %v2, operand 3 | all
//   scf.for (r7, r8): %r8 is not written over %v2: the memory is used for another result [taken] | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.for (r7, r8): %r8 is written over %v2, operand 4 | optimal, pool optimal
//   dnn.reduce_mean (v9): %v9 is not written over %v0: no kernel of this op writes over that operand [kernel] | all
//   scf.for (r7, r8): %v2 is copied into %r8, 6 bytes: the memory is used for another result [taken]; `--plan-pass` weighs the bytes of both; `parts=false` leaves parts out | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
//   scf.yield: %r3 is copied into %r8, 6 bytes: it is read again on another path or iteration [control-flow]; compute it on the path or in the iteration that reads it | paddle, nntrainer, reinplace, transpiler, pool transpiler, random nntrainer, random transpiler
