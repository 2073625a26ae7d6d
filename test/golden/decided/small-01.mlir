builtin.module {
  func.func @main(%x0: tensor<4xi32> {dnn.donated}, %x1: tensor<f64> {dnn.donated}, %c0: index) -> (tensor<4xi32>, tensor<f64>, tensor<4xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.transpose"(%x0) {perm = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
    cf.br ^bb1(%1, %x0 : index, tensor<4xi32>)
  ^bb1(%2: index, %r1: tensor<4xi32>):
    %v2 = "dnn.stack"(%v0, %r1, %r1) {axis = 0 : i64} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v3 = "dnn.constant"() {value = dense<[[-5.000000e-01, 1.500000e+00, 5.000000e-01, 3.500000e+00]]> : tensor<1x4xf64>} : () -> tensor<1x4xf64>
    %v4 = "dnn.div"(%v3, %x1) : (tensor<1x4xf64>, tensor<f64>) -> tensor<1x4xf64>
    %v5 = "dnn.mul"(%r1, %v0) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v5 : index, tensor<4xi32>)
  ^bb3:
    func.return %r1, %x1, %r1 : tensor<4xi32>, tensor<f64>, tensor<4xi32>
  }
}
// optimal: 10 refused=[constant]; 11 inplace=0; 8a675d3f26d5
// paddle: 10 refused=[not-listed]; 11 refused=[not-listed]; 73b5c4c5d9c3
// nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 73b5c4c5d9c3
// reinplace: 10 refused=[constant]; 11 refused=[returned]; 1a104b749d92
// transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]; 73b5c4c5d9c3
// pool, optimal: 10 refused=[constant]; 11 inplace=0; 8a675d3f26d5
// pool, transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]; 73b5c4c5d9c3
// random, nntrainer: 4 inplace_mode=none; 6 inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 73b5c4c5d9c3
// random, transpiler: 10 refused=[not-listed]; 11 refused=[not-listed]; 73b5c4c5d9c3
