builtin.module {
  func.func @main(%x0: tensor<3xf32>) -> (tensor<3xf32> {dnn.tied = 0 : i32}, tensor<2x3xf32>) {
    %v0 = "dnn.constant"() {value = dense<[[2.500000e+00], [5.000000e-01]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
    %v1 = "dnn.expand"(%v0) : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %v2 = "dnn.greater_or_equal"(%v1, %v1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %v3 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %v4 = "dnn.reshape"(%v3) : (tensor<2x3xf32>) -> tensor<6xf32>
    %v5 = "dnn.select_scatter"(%v3, %x0) {dim = 0 : i64, index = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %v6 = "dnn.stack"(%v5, %v3, %v5) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>
    %v7 = "dnn.sigmoid"(%x0) : (tensor<3xf32>) -> tensor<3xf32>
    %v8 = "dnn.as_strided_scatter"(%v4, %v7) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 2 : i64} : (tensor<6xf32>, tensor<3xf32>) -> tensor<6xf32>
    %v9 = "dnn.relu"(%v7) : (tensor<3xf32>) -> tensor<3xf32>
    func.return %v9, %v5 : tensor<3xf32>, tensor<2x3xf32>
  }
}
// optimal: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[used-later]; 8 parts=0; 9 inplace=0; 10 inplace=0; 11 inplace=0; fc4aa243877e
// paddle: 3 copy=; 4 refused=[kernel]; 5 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[engine]; 3c11e1dfdfb8
// nntrainer: 3 copy= inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; b41cd8811886
// reinplace: 3 copy=; 4 refused=[kernel]; 5 refused=[layout]; 7 refused=[used-later]; 9 refused=[program-input]; 10 inplace=0; 11 inplace=0; 0eca164da145
// transpiler: 3 copy=; 4 refused=[kernel]; 5 refused=[not-listed]; 7 refused=[not-listed]; 9 inplace=0; 10 refused=[not-listed]; 11 inplace=0; f9be9c2e59d1
// pool, optimal: 3 copy=; 4 refused=[kernel]; 5 inplace=0; 7 refused=[used-later]; 8 parts=0; 9 inplace=0; 10 inplace=0; 11 inplace=0; fc4aa243877e
// pool, transpiler: 3 copy=; 4 refused=[kernel]; 5 refused=[not-listed]; 7 refused=[not-listed]; 9 inplace=0; 10 refused=[not-listed]; 11 inplace=0; f9be9c2e59d1
// random, nntrainer: 3 copy= inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[restricting-input] inplace_mode=none; 10 inplace=0 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; cd61d8e9d737
// random, transpiler: 3 copy=; 4 refused=[kernel]; 5 refused=[not-listed]; 7 refused=[not-listed]; 9 inplace=0; 10 inplace=0; 11 inplace=0; 084983543eb4
