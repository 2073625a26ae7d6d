builtin.module {
  func.func @main(%x0: tensor<2x2xi64> {dnn.donated}, %c0: index) -> tensor<8xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %r0, %r1 = func.call @f0(%x0) : (tensor<2x2xi64>) -> (tensor<8xf32>, tensor<8xf32>)
    %r5 = scf.for %2 = %1 to %c0 step %0 iter_args(%r2 = %r0) -> (tensor<8xf32>) {
      %v3 = "dnn.expand"(%x0) : (tensor<2x2xi64>) -> tensor<2x2xi64>
      %v4 = "dnn.constant"() {value = dense<[1.500000e+00, 1.500000e+00, -2.500000e+00, 2.500000e+00, -2.500000e+00, -5.000000e-01, 1.500000e+00, 1.500000e+00]> : tensor<8xf32>} : () -> tensor<8xf32>
      scf.yield %v4 : tensor<8xf32>
    }
    func.return %r5 : tensor<8xf32>
  }
  func.func @f0(%x0: tensor<2x2xi64>) -> (tensor<8xf32>, tensor<8xf32>) {
    %v0 = "dnn.cumsum"(%x0) {axis = 1 : i64, dnn.engine = "cpu"} : (tensor<2x2xi64>) -> tensor<2x2xi64>
    %v1 = "dnn.constant"() {value = dense<[2.500000e+00, -2.500000e+00, 5.000000e-01, 5.000000e-01]> : tensor<4xf32>} : () -> tensor<4xf32>
    %v2 = "dnn.pad"(%v1) {pads = array<i64: 2, 2>, value = 1.500000e+00 : f32} : (tensor<4xf32>) -> tensor<8xf32>
    %v3 = "dnn.leaky_relu"(%v2) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %v3, %v2 : tensor<8xf32>, tensor<8xf32>
  }
}
// optimal: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
// paddle: 5 refused=[operands-alias]; 11 refused=[not-listed]; 14 refused=[engine]
// nntrainer: 4 inplace_mode=none; 5 refused=[operands-alias] inplace_mode=none; 6 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[returned] inplace_mode=none
// reinplace: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
// transpiler: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
// pool optimal: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
// pool transpiler: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
// random nntrainer: 4 inplace_mode=none; 5 refused=[operands-alias] inplace_mode=none; 6 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[returned] inplace_mode=none
// random transpiler: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]
//   scf.for (r5): %r5 is not written over %r0: another value may be the same bytes [operands-alias] | all
//   scf.for (r5): %r0 is copied into %r5, 32 bytes: another value may be the same bytes [operands-alias]; register a contract of the op of another dialect that it comes from | all
//   scf.yield: %v4 is copied into %r5, 32 bytes: the operand is a constant [constant]; make it an argument with `dnn.donated`, or put an op before that makes a new value | all
//   dnn.cumsum (v0): %v0 is not written over %x0: the strategy's system does not do that [not-listed] | paddle, nntrainer, random nntrainer
//   dnn.leaky_relu (v3): %v3 is not written over %v2: the op is not to run on oneDNN, which the strategy asks for [engine] | paddle
//   dnn.cumsum (v0): %v0 is not written over %x0: the operand is memory of the caller, neither donated nor tied [program-input] | optimal, reinplace, transpiler, pool optimal, pool transpiler, random transpiler
//   dnn.leaky_relu (v3): %v3 is not written over %v2: it is returned [returned] | reinplace
//   dnn.leaky_relu (v3): %v3 is not written over %v2: it is returned, by func.return at line 18 [returned] | optimal, nntrainer, transpiler, pool optimal, pool transpiler, random nntrainer, random transpiler
