builtin.module {
  func.func @main(%c0: index) -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    scf.for %2 = %1 to %c0 step %0 {
      %v0 = "dnn.constant"() {value = dense<[[-2.500000e+00, 2.500000e+00, -5.000000e-01], [-1.500000e+00, -5.000000e-01, 1.500000e+00], [-1.500000e+00, -1.500000e+00, 5.000000e-01]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
      %v1 = "dnn.pad"(%v0) {pads = array<i64: 2, 0, 0, 0>, value = 1.500000e+00 : f32} : (tensor<3x3xf32>) -> tensor<5x3xf32>
      %v2 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    }
    %r3, %r4 = func.call @f0() : () -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>)
    %r5, %r6 = func.call @f0() : () -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>)
    func.return %r5, %r4, %r5 : tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>
  }
  func.func @f0() -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[1.500000e+00], [2.500000e+00]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
    %v1 = "dnn.expand"(%v0) : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %v2 = "dnn.stack"(%v0, %v0, %v0) {axis = 2 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1x3xf32>
    func.return %v2, %v2 : tensor<2x1x3xf32>, tensor<2x1x3xf32>
  }
}
// optimal: 7 inplace=0
// paddle: 7 refused=[not-listed]
// nntrainer: 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 14 inplace_mode=none; 15 inplace_mode=none
// reinplace: 7 refused=[not-listed]
// transpiler: 7 inplace=0
// pool optimal: 7 inplace=0
// pool transpiler: 7 inplace=0
// random nntrainer: 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 14 inplace_mode=none; 15 inplace_mode=none
// random transpiler: 7 inplace=0
//   dnn.scale (v2): %v2 is not written over %v1: the strategy's system does not do that [not-listed] | paddle, nntrainer, reinplace, random nntrainer
//   dnn.scale (v2): %v2 is written over %v1, operand 0 | optimal, transpiler, pool optimal, pool transpiler, random transpiler
//   func.return: %r5 is copied into the memory of result 2, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
//   dnn.stack (v2): %v0 is copied into %v2, 8 bytes: the operand is a constant, so no op computes it in its part of the result [constant]; compute the operand in the function: an op may write its result to a part of another value | optimal 3 times, paddle 3 times, nntrainer 3 times, reinplace 3 times, transpiler 3 times, pool optimal 3 times, pool transpiler 3 times, random nntrainer 3 times, random transpiler 3 times
//   func.return: %v2 is copied into the memory of result 1, 24 bytes: it is returned [returned]; return it once, from the op that makes it, or tie it to an argument | all
