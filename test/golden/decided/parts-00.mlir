builtin.module {
  func.func @main(%x0: tensor<2x3xi32> {dnn.donated}, %x1: tensor<3xi32> {dnn.donated}, %x2: tensor<1x3xf32>) -> tensor<9x3xf32> {
    %v0 = "dnn.add"(%x0, %x0) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %v1 = "dnn.constant"() {value = dense<[[-5.000000e-01, 3.500000e+00, 5.000000e-01], [-5.000000e-01, 5.000000e-01, 3.500000e+00], [-5.000000e-01, 3.500000e+00, -1.500000e+00]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
    %v2 = "dnn.concat"(%v1, %v1, %v1) {axis = 0 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<9x3xf32>
    %v3 = "dnn.stack"(%v1, %v1) {axis = 0 : i64} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<2x3x3xf32>
    %v4 = "dnn.select_scatter"(%v0, %x1) {dim = 0 : i64, index = -2 : i64} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
    %v5 = "dnn.copy"(%v4) : (tensor<2x3xi32>) -> tensor<2x3xi32>
    %v6 = "dnn.slice_scatter"(%v2, %x2) {dim = 0 : i64, start = 7 : i64, end = 9 : i64, step = 2 : i64} : (tensor<9x3xf32>, tensor<1x3xf32>) -> tensor<9x3xf32>
    func.return %v6 : tensor<9x3xf32>
  }
}
// optimal: 2 inplace=0; 6 inplace=0; 8 inplace=0; de18fb208069
// paddle: 2 refused=[engine]; 6 refused=[not-listed]; 8 refused=[not-listed]; 2e82b6480b88
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 11d5ec23229a
// reinplace: 2 refused=[program-input]; 6 inplace=0; 8 inplace=0; 693b339bdec1
// transpiler: 2 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 11d5ec23229a
// pool, optimal: 2 inplace=0 reuse=0; 6 inplace=0 reuse=0; 7 reuse=0; 8 inplace=0; 4734d2db7c87
// pool, transpiler: 2 reuse=1 refused=[not-listed]; 6 reuse=0 refused=[not-listed]; 7 reuse=1; 8 refused=[not-listed]; 5e957ede24e4
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 inplace_mode=none; 8 inplace=0 inplace_mode=none; 139aaf10bad0
// random, transpiler: 2 refused=[not-listed]; 6 inplace=0; 8 inplace=0; 139aaf10bad0
