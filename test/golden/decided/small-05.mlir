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
// optimal: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]; d7a616cd1999
// paddle: 5 refused=[operands-alias]; 11 refused=[not-listed]; 14 refused=[engine]; 9092bcb0647f
// nntrainer: 4 inplace_mode=none; 5 refused=[operands-alias] inplace_mode=none; 6 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[returned] inplace_mode=none; 16c6c7803442
// reinplace: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]; 97183707053b
// transpiler: 5 refused=[operands-alias]; 11 refused=[not-listed]; 14 refused=[returned]; 16c6c7803442
// pool, optimal: 5 refused=[operands-alias]; 11 refused=[program-input]; 14 refused=[returned]; d7a616cd1999
// pool, transpiler: 5 refused=[operands-alias]; 11 refused=[not-listed]; 14 refused=[returned]; 16c6c7803442
// random, nntrainer: 4 inplace_mode=none; 5 refused=[operands-alias] inplace_mode=none; 6 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[returned] inplace_mode=none; 16c6c7803442
// random, transpiler: 5 refused=[operands-alias]; 11 refused=[not-listed]; 14 refused=[returned]; 16c6c7803442
