builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %x1: tensor<2xi1>, %c0: i1) -> tensor<2xi1> {
    %v0 = "dnn.constant"() {value = dense<[5.000000e-01, -2.500000e+00]> : tensor<2xf64>} : () -> tensor<2xf64>
    %v1 = "dnn.layer_norm"(%x0, %v0) {axis = -1 : i64} : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
    %v2 = "dnn.masked_fill"(%v0, %x1) {value = 7.000000e+00 : f32} : (tensor<2xf64>, tensor<2xi1>) -> tensor<2xf64>
    cf.cond_br %c0, ^bb1, ^bb2
  ^bb1:
    %v3 = "dnn.addcmul"(%v2, %v2, %x0) : (tensor<2xf64>, tensor<2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    %v4 = "dnn.expand"(%x1) : (tensor<2xi1>) -> tensor<2xi1>
    cf.br ^bb3(%x1 : tensor<2xi1>)
  ^bb2:
    %v5 = "dnn.less"(%v0, %v0) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    cf.br ^bb3(%x1 : tensor<2xi1>)
  ^bb3(%r6: tensor<2xi1>):
    %v7 = "dnn.concat"(%x1) {axis = 0 : i64} : (tensor<2xi1>) -> tensor<2xi1>
    %v8 = "dnn.mul"(%v1, %v2) : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
    func.return %x1 : tensor<2xi1>
  }
}
// optimal: 3 refused=[program-input]; 4 refused=[constant]; 6 refused=[program-input]; 9 refused=[element-type]; 12 inplace=0; 58f1dd6e4031
// paddle: 3 refused=[size]; 4 refused=[element-type]; 6 refused=[broadcast]; 9 refused=[element-type]; 12 refused=[broadcast]; 17f68b09a8f3
// nntrainer: 3 refused=[size] inplace_mode=none; 4 refused=[element-type] inplace_mode=none; 6 refused=[broadcast] inplace_mode=none; 7 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 11 inplace_mode=none; 12 refused=[broadcast] inplace_mode=none; 17f68b09a8f3
// reinplace: 3 refused=[program-input]; 4 refused=[constant]; 6 refused=[broadcast]; 9 refused=[element-type]; 12 inplace=0; 7bc3670fb030
// transpiler: 3 refused=[size]; 4 refused=[element-type]; 6 refused=[broadcast]; 9 refused=[element-type]; 12 refused=[broadcast]; 17f68b09a8f3
// pool, optimal: 3 refused=[program-input]; 4 refused=[constant]; 6 refused=[program-input]; 9 refused=[element-type]; 12 inplace=0; 58f1dd6e4031
// pool, nntrainer: 3 refused=[size] inplace_mode=none; 4 refused=[element-type] inplace_mode=none; 6 refused=[broadcast] inplace_mode=none; 7 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 11 inplace_mode=none; 12 refused=[broadcast] inplace_mode=none; 17f68b09a8f3
// pool, transpiler: 3 refused=[size]; 4 refused=[element-type]; 6 refused=[broadcast]; 9 refused=[element-type]; 12 refused=[broadcast]; 17f68b09a8f3
// random, optimal: 3 refused=[program-input]; 4 refused=[constant]; 6 refused=[program-input]; 9 refused=[element-type]; 12 inplace=0; 58f1dd6e4031
// random, nntrainer: 3 refused=[size] inplace_mode=none; 4 refused=[element-type] inplace_mode=none; 6 refused=[broadcast] inplace_mode=none; 7 inplace_mode=none; 9 refused=[element-type] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=none; 0c9bbf01c5d4
// random, transpiler: 3 refused=[size]; 4 refused=[element-type]; 6 refused=[broadcast]; 9 refused=[element-type]; 12 inplace=0; 0c9bbf01c5d4
