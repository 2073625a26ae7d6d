builtin.module {
  func.func @main(%x0: tensor<4x2xf32> {dnn.donated}, %x1: tensor<3x4xf32>, %c0: i1) -> (tensor<3x4xf32>, tensor<3x2xf32>, tensor<2x3x2xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[5.000000e-01, 1.500000e+00, 3.500000e+00, -2.500000e+00], [5.000000e-01, -5.000000e-01, 5.000000e-01, -1.500000e+00], [-1.500000e+00, 1.500000e+00, 2.500000e+00, -2.500000e+00]]> : tensor<3x4xf32>} : () -> tensor<3x4xf32>
    %v1 = "dnn.abs"(%v0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    cf.cond_br %c0, ^bb1(%v1, %v1 : tensor<3x4xf32>, tensor<3x4xf32>), ^bb2
  ^bb1(%r2: tensor<3x4xf32>, %r3: tensor<3x4xf32>):
    %v4 = "dnn.matmul"(%v0, %x0) : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    cf.br ^bb3(%v4, %v0 : tensor<3x2xf32>, tensor<3x4xf32>)
  ^bb2:
    %v5, %v6 = "dnn.split"(%x0) {axis = 0 : i64, split_size = 3 : i64} : (tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<1x2xf32>)
    %v7 = "dnn.pow"(%v6, %v5) : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    cf.br ^bb3(%v7, %v1 : tensor<3x2xf32>, tensor<3x4xf32>)
  ^bb3(%r8: tensor<3x2xf32>, %r9: tensor<3x4xf32>):
    %v10 = "dnn.constant"() {value = dense<[[[1.500000e+00, 2.500000e+00], [5.000000e-01, 3.500000e+00], [-5.000000e-01, -1.500000e+00]], [[3.500000e+00, 5.000000e-01], [1.500000e+00, -2.500000e+00], [5.000000e-01, -2.500000e+00]]]> : tensor<2x3x2xf32>} : () -> tensor<2x3x2xf32>
    %r11, %r12 = func.call @f0(%v10, %x1) : (tensor<2x3x2xf32>, tensor<3x4xf32>) -> (tensor<2x3x2xf32>, tensor<2x3x2xf32>)
    func.return %r9, %r8, %r11 : tensor<3x4xf32>, tensor<3x2xf32>, tensor<2x3x2xf32>
  }
  func.func @f0(%x0: tensor<2x3x2xf32>, %x1: tensor<3x4xf32>) -> (tensor<2x3x2xf32>, tensor<2x3x2xf32>) {
    %v0 = "dnn.abs"(%x0) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v1 = "dnn.pow"(%v0, %v0) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.exp"(%x1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    func.return %v1, %v0 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  }
}
// optimal: 3 refused=[constant]; 5 refused=[size]; 8 inplace=1; 14 refused=[program-input]; 15 refused=[returned]; 16 refused=[program-input]; 31dbbaa25649
// paddle: 3 refused=[kernel]; 5 refused=[size]; 8 refused=[broadcast]; 14 refused=[kernel]; 15 refused=[not-listed]; 16 refused=[not-listed]; 8dfd21da9dbd
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 5 refused=[size] inplace_mode=none; 7 inplace_mode=none; 8 refused=[broadcast] inplace_mode=none; 11 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 00c1a0f5e302
// reinplace: 3 refused=[constant]; 5 refused=[size]; 8 refused=[broadcast]; 14 refused=[program-input]; 15 refused=[repeated-operand]; 16 refused=[program-input]; 69a230179ebf
// transpiler: 3 refused=[constant]; 5 refused=[size]; 8 refused=[broadcast]; 14 refused=[program-input]; 15 refused=[not-listed]; 16 refused=[program-input]; 5efb52a5c322
// pool, optimal: 3 refused=[constant]; 5 refused=[size]; 8 inplace=1; 14 refused=[program-input]; 15 refused=[returned]; 16 refused=[program-input]; 31dbbaa25649
// pool, nntrainer: 3 refused=[not-listed] inplace_mode=none; 5 refused=[size] inplace_mode=none; 7 inplace_mode=none; 8 refused=[broadcast] inplace_mode=none; 11 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 00c1a0f5e302
// pool, transpiler: 3 refused=[constant]; 5 refused=[size]; 8 refused=[broadcast]; 14 refused=[program-input]; 15 refused=[not-listed]; 16 refused=[program-input]; 5efb52a5c322
// random, optimal: 3 refused=[constant]; 5 refused=[size]; 8 inplace=1; 14 refused=[program-input]; 15 refused=[returned]; 16 refused=[program-input]; 31dbbaa25649
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 5 refused=[size] inplace_mode=none; 7 inplace_mode=none; 8 inplace=1 inplace_mode=none; 11 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 6fe92cbcd1e9
// random, transpiler: 3 refused=[constant]; 5 refused=[size]; 8 inplace=1; 14 refused=[program-input]; 15 refused=[not-listed]; 16 refused=[program-input]; 2b0ada0affb6
