builtin.module {
  func.func @main(%x0: tensor<2x3xi64> {dnn.donated}, %x1: tensor<2x2xi1> {dnn.donated}, %x2: tensor<1xi1> {dnn.donated}, %c0: i1) -> (tensor<2x2xi1> {dnn.tied = 1 : i32}, tensor<1xi1>) {
    %v0 = "dnn.cast"(%x0) {dnn.engine = "cpu"} : (tensor<2x3xi64>) -> tensor<2x3xi1>
    %v1 = "dnn.constant"() {value = dense<[1.500000e+00, -2.500000e+00, -2.500000e+00, 2.500000e+00, 2.500000e+00, -1.500000e+00]> : tensor<6xf32>} : () -> tensor<6xf32>
    %v2 = "dnn.layer_norm"(%v1, %v1) {axis = -1 : i64} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    cf.cond_br %c0, ^bb1, ^bb2
  ^bb1:
    %v3 = "dnn.where"(%x1, %x1, %x1) : (tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
    %v4 = "dnn.constant"() {value = dense<false> : tensor<1xi1>} : () -> tensor<1xi1>
    %v5 = "dnn.as_strided_scatter"(%v3, %v4) {size = array<i64: 1>, stride = array<i64: 3>, storage_offset = 1 : i64} : (tensor<2x2xi1>, tensor<1xi1>) -> tensor<2x2xi1>
    cf.br ^bb3(%v2, %v1 : tensor<6xf32>, tensor<6xf32>)
  ^bb2:
    %v6 = "dnn.diagonal_scatter"(%v0, %x2) {offset = 1 : i64, dim1 = 1 : i64, dim2 = 0 : i64, dnn.engine = "cpu"} : (tensor<2x3xi1>, tensor<1xi1>) -> tensor<2x3xi1>
    cf.br ^bb3(%v1, %v2 : tensor<6xf32>, tensor<6xf32>)
  ^bb3(%r7: tensor<6xf32>, %r8: tensor<6xf32>):
    func.return %x1, %x2 : tensor<2x2xi1>, tensor<1xi1>
  }
}
// optimal: 2 refused=[kernel]; 4 reuse=0 refused=[constant]; 6 refused=[control-flow]; 8 inplace=0; 9 succ_reuse=[0,-1]; 10 inplace=0; 11 succ_reuse=[0,-1]; 5fb8ac93cf04
// paddle: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; e245c2e1b9c4
// nntrainer: 2 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; e245c2e1b9c4
// reinplace: 2 refused=[kernel]; 4 refused=[constant]; 6 refused=[program-input]; 8 inplace=0; 10 inplace=0; 76d15ba2c274
// transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; e245c2e1b9c4
// pool, optimal: 2 refused=[kernel]; 4 reuse=0 refused=[constant]; 6 refused=[control-flow]; 8 inplace=0; 9 succ_reuse=[0,-1]; 10 inplace=0; 11 succ_reuse=[0,-1]; 5fb8ac93cf04
// pool, transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 refused=[not-listed]; e245c2e1b9c4
// random, nntrainer: 2 refused=[kernel] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 10 inplace=0 inplace_mode=none; 4044cde084de
// random, transpiler: 2 refused=[kernel]; 4 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 10 inplace=0; 4044cde084de
