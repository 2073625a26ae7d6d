builtin.module {
  func.func @main(%x0: tensor<2x1x3xi32> {dnn.donated}, %x1: tensor<2xi32>, %x2: tensor<2x3x2xf32>, %x3: tensor<6xf32> {dnn.donated}, %x4: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1x3xi32>) {
    %v0 = "dnn.as_strided_scatter"(%x0, %x1) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 0 : i64} : (tensor<2x1x3xi32>, tensor<2xi32>) -> tensor<2x1x3xi32>
    %v1 = "dnn.add"(%x2, %x2) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
    %v2 = "dnn.expand"(%v0) : (tensor<2x1x3xi32>) -> tensor<1x2x2x3xi32>
    %v3 = "dnn.expand"(%x1) : (tensor<2xi32>) -> tensor<2xi32>
    %v4 = "dnn.relu_grad"(%x3, %x3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v5 = "dnn.slice_scatter"(%x3, %x4) {dim = 0 : i64, start = 3 : i64, end = 6 : i64, step = 2 : i64} : (tensor<6xf32>, tensor<2xf32>) -> tensor<6xf32>
    %v6 = "dnn.constant"() {value = dense<[[-2.500000e+00, -5.000000e-01, -2.500000e+00, -2.500000e+00], [-5.000000e-01, 1.500000e+00, 3.500000e+00, 2.500000e+00], [1.500000e+00, 5.000000e-01, 5.000000e-01, -5.000000e-01]]> : tensor<3x4xf64>} : () -> tensor<3x4xf64>
    %v7 = "dnn.cumsum"(%v6) {axis = 1 : i64} : (tensor<3x4xf64>) -> tensor<3x4xf64>
    %v8 = "dnn.stack"(%x3) {axis = 0 : i64} : (tensor<6xf32>) -> tensor<1x6xf32>
    %v9 = "dnn.constant"() {value = dense<[3.500000e+00, 2.500000e+00, -2.500000e+00, -1.500000e+00, 2.500000e+00, 3.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v10 = "dnn.add"(%v9, %x3) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %v11 = "dnn.as_strided"(%x3) {size = array<i64: 2>, stride = array<i64: 3>, storage_offset = 0 : i64} : (tensor<6xf32>) -> tensor<2xf32>
    %v12 = "dnn.neg"(%v11) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %v12, %v0 : tensor<2xf32>, tensor<2x1x3xi32>
  }
}
// optimal: 2 inplace=0; 3 refused=[program-input]; 6 refused=[used-later]; 7 refused=[used-later]; 9 refused=[constant]; 12 refused=[used-later]; 14 inplace=0; 6c4f17c06279
// paddle: 2 refused=[not-listed]; 3 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[engine]; 14 refused=[not-listed]; 5610d1cabef6
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 6266d6b5670c
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 refused=[program-input]; 7 refused=[program-input]; 9 refused=[constant]; 12 refused=[constant]; 14 refused=[program-input]; c665b9db3566
// transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; 14 refused=[not-listed]; 6266d6b5670c
// pool, optimal: 2 inplace=0; 3 refused=[program-input]; 6 refused=[used-later]; 7 refused=[used-later]; 9 refused=[constant]; 12 refused=[used-later]; 14 inplace=0; 6c4f17c06279
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; 14 refused=[not-listed]; 6266d6b5670c
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 6266d6b5670c
// random, transpiler: 2 refused=[not-listed]; 3 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 12 refused=[not-listed]; 14 refused=[not-listed]; 6266d6b5670c
