builtin.module {
  func.func @main(%x0: tensor<2x2xi64>, %x1: tensor<i64>, %x2: tensor<3x4xf32>, %x3: tensor<f64> {dnn.donated}) -> (tensor<1xi64>, tensor<i64>) {
    %v0 = "dnn.constant"() {value = dense<[-1, 0, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v1 = "dnn.as_strided_scatter"(%x0, %v0) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x2xi64>, tensor<3xi64>) -> tensor<2x2xi64>
    %v2 = "dnn.multiout"(%v0) : (tensor<3xi64>) -> tensor<3xi64>
    %v3 = "dnn.identity"(%v1) : (tensor<2x2xi64>) -> tensor<2x2xi64>
    %v4 = "dnn.diagonal"(%v1) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>) -> tensor<2xi64>
    %v5 = "dnn.addcmul"(%v1, %v3, %x1) : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi64>
    %v6 = "dnn.diagonal_scatter"(%v1, %v4) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
    %v7 = "dnn.expand"(%x1) : (tensor<i64>) -> tensor<2xi64>
    %v8 = "dnn.pad"(%x2) {pads = array<i64: 1, 0, 1, 0>, value = 1.500000e+00 : f32} : (tensor<3x4xf32>) -> tensor<5x4xf32>
    %v9 = "dnn.relu_grad"(%x3, %x3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %v10 = "dnn.identity"(%x3) : (tensor<f64>) -> tensor<f64>
    %v11 = "dnn.diagonal"(%v3) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xi64>) -> tensor<1xi64>
    %v12 = "dnn.as_strided"(%v6) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<2x2xi64>) -> tensor<1xi64>
    func.return %v12, %x1 : tensor<1xi64>, tensor<i64>
  }
}
// optimal: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 inplace=0; f6a0b83dba28
// paddle: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; f88a0126a7e9
// nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=restricting; 5 inplace_mode=restricting; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace_mode=restricting; 13 inplace_mode=none; 14 inplace_mode=none; f88a0126a7e9
// reinplace: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 refused=[program-input]; 9d30c43777a9
// transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; f88a0126a7e9
// pool, optimal: 3 refused=[program-input]; 7 refused=[used-later]; 8 inplace=0; 11 inplace=0; f6a0b83dba28
// pool, transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; f88a0126a7e9
// random, nntrainer: 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=restricting; 5 inplace_mode=restricting; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace_mode=restricting; 13 inplace_mode=none; 14 inplace_mode=none; f88a0126a7e9
// random, transpiler: 3 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[not-listed]; f88a0126a7e9
