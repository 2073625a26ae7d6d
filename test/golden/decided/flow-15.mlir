builtin.module {
  func.func @main(%x0: tensor<2xf32> {dnn.donated}, %c0: index) -> (tensor<2xf32> {dnn.tied = 0 : i32}, tensor<2x3x2xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[[-2.500000e+00, -1.500000e+00], [-2.500000e+00, -5.000000e-01], [3.500000e+00, -2.500000e+00]], [[2.500000e+00, 1.500000e+00], [-1.500000e+00, -5.000000e-01], [1.500000e+00, 2.500000e+00]]]> : tensor<2x3x2xf32>} : () -> tensor<2x3x2xf32>
    %v1 = "dnn.elu"(%v0) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.as_strided_scatter"(%v1, %x0) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 8 : i64} : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
    %r7 = scf.for %2 = %1 to %c0 step %0 iter_args(%r3 = %v0) -> (tensor<2x3x2xf32>) {
      %v4 = "dnn.copy"(%x0) : (tensor<2xf32>) -> tensor<2xf32>
      %v5 = "dnn.greater_or_equal"(%r3, %v2) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xi1>
      %v6 = "dnn.abs"(%r3) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
      scf.yield %v6 : tensor<2x3x2xf32>
    }
    func.return %x0, %v1 : tensor<2xf32>, tensor<2x3x2xf32>
  }
}
// optimal: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; b8dce0c5bc5e
// paddle: 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[element-type]; 10 refused=[kernel]; 3b0a8cdee43b
// nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 0baccc27f4a8
// reinplace: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; fa2c7e60177f
// transpiler: 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; ceb35d1c53fe
// pool, optimal: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; b8dce0c5bc5e
// pool, nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 0baccc27f4a8
// pool, transpiler: 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; ceb35d1c53fe
// random, optimal: 5 refused=[constant]; 6 refused=[returned]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; b8dce0c5bc5e
// random, nntrainer: 5 refused=[restricting-input] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[constant] inplace_mode=none; 8 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 0baccc27f4a8
// random, transpiler: 5 refused=[constant]; 6 refused=[not-listed]; 7 refused=[constant]; 9 refused=[element-type]; 10 inplace=0; ceb35d1c53fe
