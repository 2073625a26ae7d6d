builtin.module {
  func.func @main(%x0: tensor<2x1x3xi64> {dnn.donated}, %x1: tensor<6xf32> {dnn.donated}) -> tensor<22xf32> {
    %v0, %v1, %v2 = "dnn.unbind"(%x0) {axis = 2 : i64} : (tensor<2x1x3xi64>) -> (tensor<2x1xi64>, tensor<2x1xi64>, tensor<2x1xi64>)
    %v3 = "dnn.leaky_relu"(%x1) : (tensor<6xf32>) -> tensor<6xf32>
    %v4 = "dnn.reshape"(%v2) : (tensor<2x1xi64>) -> tensor<1x2xi64>
    %v5 = "dnn.pad"(%v3) {pads = array<i64: 2, 2>, value = 1.500000e+00 : f32} : (tensor<6xf32>) -> tensor<10xf32>
    %v6 = "dnn.concat"(%x1, %v5, %v3) {axis = 0 : i64} : (tensor<6xf32>, tensor<10xf32>, tensor<6xf32>) -> tensor<22xf32>
    func.return %v6 : tensor<22xf32>
  }
}
// optimal: 3 refused=[used-later]; 5 parts=0; 6 parts=1; ae277f09b855
// paddle: 3 refused=[engine]; e6724120097f
// nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 290f8a60e4bf
// reinplace: 3 refused=[program-input]; f35c91d6a431
// transpiler: 3 refused=[used-later]; 309a6242067d
// pool, optimal: 3 refused=[used-later]; 5 parts=0; 6 parts=1; ae277f09b855
// pool, transpiler: 3 refused=[used-later]; 309a6242067d
// random, nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 290f8a60e4bf
// random, transpiler: 3 refused=[used-later]; 309a6242067d
