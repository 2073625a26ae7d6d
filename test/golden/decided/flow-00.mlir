builtin.module {
  func.func @main() -> tensor<2xf32> {
    %v0 = "dnn.constant"() {value = dense<[[3.500000e+00], [-2.500000e+00], [1.500000e+00], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v1 = "dnn.as_strided"(%v0) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 0 : i64} : (tensor<4x1xf32>) -> tensor<2xf32>
    %v2 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<2xf32>) -> tensor<2xf32>
    %v3 = "dnn.as_strided"(%v0) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<4x1xf32>) -> tensor<2xf32>
    %r4 = func.call @f0(%v2) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %r4 : tensor<2xf32>
  }
  func.func private @f0(tensor<2xf32>) -> tensor<2xf32>
}
// optimal: 4 refused=[constant]
// paddle: 4 refused=[engine]
// nntrainer: 3 inplace_mode=none; 4 refused=[restricting-input] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none
// reinplace: 4 refused=[constant]
// transpiler: 4 refused=[constant]
// pool optimal: 4 refused=[constant]
// pool transpiler: 4 refused=[constant]
// random nntrainer: 3 inplace_mode=none; 4 refused=[restricting-input] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none
// random transpiler: 4 refused=[constant]
//   dnn.relu (v2): %v2 is not written over %v1: the operand is a constant [constant] | reinplace
//   dnn.relu (v2): %v2 is not written over %v1: the op before is in place and restricts this one [restricting-input] | nntrainer, random nntrainer
//   dnn.relu (v2): %v2 is not written over %v1: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.relu (v2): %v2 is not written over %v1: the operand is a constant, as %v0 [constant] | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   func.call (r4): %v2, operand 0, is given to @f0 | all
