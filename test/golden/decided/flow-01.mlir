builtin.module {
  func.func @main(%x0: tensor<4xi64>, %x1: tensor<2x1x3xf64> {dnn.donated}, %x2: tensor<2x1x3xi1>, %c0: i1) -> (tensor<4xi64>, tensor<4xi64>) {
    %v0 = "dnn.constant"() {value = dense<[[-1, -3, -2, 2], [-3, -2, -3, -3], [-2, -3, -1, 0]]> : tensor<3x4xi64>} : () -> tensor<3x4xi64>
    %v1 = "dnn.select"(%v0) {dim = 0 : i64, index = 2 : i64} : (tensor<3x4xi64>) -> tensor<4xi64>
    %r2 = "strange.op"(%v1) : (tensor<4xi64>) -> tensor<4xi64>
    cf.cond_br %c0, ^bb1, ^bb2
  ^bb1:
    %v3 = "dnn.less_or_equal"(%x0, %v1) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    cf.br ^bb3(%r2 : tensor<4xi64>)
  ^bb2:
    %v4 = "dnn.transpose"(%r2) {perm = array<i64: 0>} : (tensor<4xi64>) -> tensor<4xi64>
    %v5 = "dnn.sqrt"(%x1) : (tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
    cf.br ^bb3(%v4 : tensor<4xi64>)
  ^bb3(%r6: tensor<4xi64>):
    %v7 = "dnn.concat"(%x1, %x1) {axis = 1 : i64} : (tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x2x3xf64>
    %v8 = "dnn.constant"() {value = dense<[1, -1, 1, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %v9 = "dnn.concat"(%r6, %v8) {axis = 0 : i64} : (tensor<4xi64>, tensor<4xi64>) -> tensor<8xi64>
    %r12 = "strange.region"() ({
      %v10 = "dnn.where"(%x2, %x1, %x1) : (tensor<2x1x3xi1>, tensor<2x1x3xf64>, tensor<2x1x3xf64>) -> tensor<2x1x3xf64>
      %v11 = "dnn.mul"(%v8, %r6) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
      "strange.yield"(%v10, %v8) : (tensor<2x1x3xf64>, tensor<4xi64>) -> ()
    }) : () -> tensor<8xi64>
    %v13 = "dnn.copy"(%x2) : (tensor<2x1x3xi1>) -> tensor<2x1x3xi1>
    func.return %v8, %v8 : tensor<4xi64>, tensor<4xi64>
  }
}
// optimal: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[used-later]; 16 refused=[used-later]; 739082d64cc8
// paddle: 6 refused=[kernel]; 9 refused=[engine]; 15 refused=[not-listed]; 16 refused=[not-listed]; 4f4abcf2ff7e
// nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 18 inplace_mode=none; 6a0e920b6fdc
// reinplace: 6 refused=[kernel]; 9 refused=[program-input]; 15 refused=[not-listed]; 16 refused=[constant]; 53c993043287
// transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]; 0524798f92a1
// pool, optimal: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[used-later]; 16 refused=[used-later]; 739082d64cc8
// pool, transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]; 0524798f92a1
// random, nntrainer: 3 inplace_mode=none; 4 inplace_mode=none; 6 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 16 refused=[not-listed] inplace_mode=none; 18 inplace_mode=none; 6a0e920b6fdc
// random, transpiler: 6 refused=[kernel]; 9 refused=[control-flow]; 15 refused=[not-listed]; 16 refused=[not-listed]; 0524798f92a1
