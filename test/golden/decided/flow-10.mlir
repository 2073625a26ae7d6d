builtin.module {
  func.func @main(%x0: tensor<2x1x3xf64> {dnn.donated}, %x1: tensor<2x1x1x3xi1> {dnn.donated}, %c0: i1, %c1: index) -> (tensor<2x1x1x3xi1>, tensor<2x1x1x3xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.stack"(%x0) {axis = 1 : i64} : (tensor<2x1x3xf64>) -> tensor<2x1x1x3xf64>
    %r3, %r4 = scf.if %c0 -> (tensor<2x1x3xf64>, tensor<2x1x1x3xf64>) {
      %v1 = "dnn.concat"(%v0) {axis = 0 : i64} : (tensor<2x1x1x3xf64>) -> tensor<2x1x1x3xf64>
      scf.yield %x0, %v0 : tensor<2x1x3xf64>, tensor<2x1x1x3xf64>
    } else {
      %v2 = "dnn.constant"() {value = dense<[[[-2.500000e+00, 2.500000e+00, -5.000000e-01]], [[-2.500000e+00, -5.000000e-01, 3.500000e+00]]]> : tensor<2x1x3xf64>} : () -> tensor<2x1x3xf64>
      scf.yield %v2, %v0 : tensor<2x1x3xf64>, tensor<2x1x1x3xf64>
    }
    cf.br ^bb1(%1, %r4 : index, tensor<2x1x1x3xf64>)
  ^bb1(%2: index, %r5: tensor<2x1x1x3xf64>):
    %3 = arith.cmpi slt, %2, %c1 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v6 = "dnn.masked_fill"(%r5, %x1) {value = 7.000000e+00 : f32} : (tensor<2x1x1x3xf64>, tensor<2x1x1x3xi1>) -> tensor<2x1x1x3xf64>
    %v7 = "dnn.abs"(%r5) : (tensor<2x1x1x3xf64>) -> tensor<2x1x1x3xf64>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v7 : index, tensor<2x1x1x3xf64>)
  ^bb3:
    func.return %x1, %v0 : tensor<2x1x1x3xi1>, tensor<2x1x1x3xf64>
  }
}
// optimal: 4 reuse=1; 5 reuse=0,1; 13 refused=[used-later]; 14 inplace=0; a0c0202d2dfb
// paddle: 13 refused=[element-type]; 14 refused=[kernel]; 631c6fc7d86a
// nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 83f0ff9d61a0
// reinplace: 13 refused=[used-later]; 14 inplace=0; c1634ce9e29f
// transpiler: 13 refused=[element-type]; 14 inplace=0; e4331e30db96
// pool, optimal: 4 reuse=1; 5 reuse=0,1; 13 refused=[used-later]; 14 inplace=0; a0c0202d2dfb
// pool, nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 83f0ff9d61a0
// pool, transpiler: 13 refused=[element-type]; 14 inplace=0; e4331e30db96
// random, optimal: 4 reuse=1; 5 reuse=0,1; 13 refused=[used-later]; 14 inplace=0; a0c0202d2dfb
// random, nntrainer: 4 inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 13 refused=[element-type] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 83f0ff9d61a0
// random, transpiler: 13 refused=[element-type]; 14 inplace=0; e4331e30db96
