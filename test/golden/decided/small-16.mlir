builtin.module {
  func.func @main(%x0: tensor<2x3xf64>, %c0: i1) -> (tensor<4xf64>, tensor<4xf64>) {
    %v0 = "dnn.constant"() {value = dense<[1.500000e+00, 5.000000e-01, -2.500000e+00, -2.500000e+00]> : tensor<4xf64>} : () -> tensor<4xf64>
    %r1, %r2 = func.call @f0(%x0, %v0, %v0) : (tensor<2x3xf64>, tensor<4xf64>, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
    cf.cond_br %c0, ^bb1(%r1 : tensor<4xf64>), ^bb2
  ^bb1(%r3: tensor<4xf64>):
    %v4 = "dnn.copy_into"(%r3, %r3) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    cf.br ^bb3(%v4, %r3 : tensor<4xf64>, tensor<4xf64>)
  ^bb2:
    %v5, %v6, %v7 = "dnn.multiout"(%r2) : (tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>)
    cf.br ^bb3(%v7, %r2 : tensor<4xf64>, tensor<4xf64>)
  ^bb3(%r8: tensor<4xf64>, %r9: tensor<4xf64>):
    %v10 = "dnn.minimum"(%r9, %r8) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %v11 = "dnn.log_softmax"(%r2) {axis = 0 : i64, dnn.engine = "cpu"} : (tensor<4xf64>) -> tensor<4xf64>
    func.return %r8, %r9 : tensor<4xf64>, tensor<4xf64>
  }
  func.func @f0(%x0: tensor<2x3xf64> {dnn.donated}, %x1: tensor<4xf64>, %x2: tensor<4xf64>) -> (tensor<4xf64> {dnn.tied = 1 : i32}, tensor<4xf64>) {
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x3xf64>) -> tensor<3x2xf64>
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 3 : i64, step = 1 : i64} : (tensor<2x3xf64>) -> tensor<2x2xf64>
    %v2 = "dnn.copy_into"(%x1, %x2) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    func.return %x2, %x2 : tensor<4xf64>, tensor<4xf64>
  }
}
// optimal: 4 succ_reuse=[0 ]; 5 inplace=0; 6 succ_reuse=[-1,0]; 8 succ_reuse=[-1,0]; 9 refused=[returned]; 10 refused=[operands-alias]; 15 inplace=0; 0cfccfca660b
// paddle: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[not-listed]; 5cf09a8ca772
// nntrainer: 3 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace_mode=restricting; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 5cf09a8ca772
// reinplace: 5 refused=[repeated-operand]; 9 refused=[returned]; 10 refused=[not-listed]; 15 refused=[program-input]; 78274ef85924
// transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[not-listed]; 5cf09a8ca772
// pool, optimal: 4 succ_reuse=[0 ]; 5 inplace=0; 6 succ_reuse=[-1,0]; 8 succ_reuse=[-1,0]; 9 refused=[returned]; 10 refused=[operands-alias]; 15 inplace=0; 0cfccfca660b
// pool, transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[not-listed]; 5cf09a8ca772
// random, nntrainer: 3 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 7 inplace_mode=restricting; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 13 inplace_mode=none; 14 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 5cf09a8ca772
// random, transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 15 refused=[not-listed]; 5cf09a8ca772
