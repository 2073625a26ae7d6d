builtin.module {
  func.func @main(%x0: tensor<2x1x3xi1> {dnn.donated}, %x1: tensor<6xf64> {dnn.donated}, %x2: tensor<1xf64> {dnn.donated}) -> (tensor<6xf64> {dnn.tied = 1 : i32}, tensor<2x1x3xf64>) {
    %v0 = "dnn.constant"() {value = dense<[[[5.000000e-01, 1.500000e+00, -5.000000e-01]], [[5.000000e-01, 1.500000e+00, 5.000000e-01]]]> : tensor<2x1x3xf64>} : () -> tensor<2x1x3xf64>
    %v1 = "dnn.concat"(%v0) {axis = 2 : i64} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v2 = "dnn.reshape"(%v1) : (tensor<2x1x3xf64>) -> tensor<2x3xf64>
    %v3 = "dnn.where"(%x0, %v0, %v1) : (tensor<2x1x3xi1>, tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v4 = "dnn.constant"() {value = dense<[[true], [false]]> : tensor<2x1xi1>} : () -> tensor<2x1xi1>
    %v5 = "dnn.select_scatter"(%x0, %v4) {dim = 2 : i64, index = -1 : i64} : (tensor<2x1x3xi1>, tensor<2x1xi1>) -> tensor<2x1x3xi1>
    %v6 = "dnn.fill"(%v1) {value = 3.000000e+00 : f32} : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    %v7 = "dnn.reshape"(%x0) : (tensor<2x1x3xi1>) -> tensor<3x1x2xi1>
    %v8 = "dnn.as_strided"(%v3) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 2 : i64} : (tensor<2x1x3xf64>) -> tensor<2xf64>
    %v9 = "dnn.sqrt"(%v8) : (tensor<2xf64>) -> tensor<2xf64>
    %v10 = "dnn.slice_scatter"(%x1, %x2) {dim = 0 : i64, start = 2 : i64, end = 4 : i64, step = 2 : i64} : (tensor<6xf64>, tensor<1xf64>) -> tensor<6xf64>
    func.return %v10, %v6 : tensor<6xf64>, tensor<2x1x3xf64>
  }
}
// optimal: 5 inplace=2; 7 inplace=0; 8 refused=[used-later]; 11 inplace=0; 12 inplace=0; e88d23312318
// paddle: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 refused=[engine]; 12 refused=[not-listed]; 87284105c0d0
// nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; e2fce7441da4
// reinplace: 5 refused=[not-listed]; 7 refused=[program-input]; 8 inplace=0; 11 inplace=0; 12 refused=[program-input]; 0a5c8a4a421b
// transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 12 refused=[not-listed]; 88f70c1e01e1
// pool, optimal: 5 inplace=2; 7 inplace=0; 8 refused=[used-later]; 11 inplace=0; 12 inplace=0; e88d23312318
// pool, transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 12 refused=[not-listed]; 88f70c1e01e1
// random, nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 12 inplace=0 inplace_mode=none; 607deb188c4f
// random, transpiler: 5 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 12 inplace=0; fcdf40e4dcea
