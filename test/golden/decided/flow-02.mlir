builtin.module {
  func.func @main(%x0: tensor<1x4xf64>, %c0: index) -> (tensor<1x4xi1>, tensor<1x4xi1>, tensor<1x4xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.less_or_equal"(%x0, %x0) : (tensor<1x4xf64>, tensor<1x4xf64>) -> tensor<1x4xi1>
    cf.br ^bb1(%1, %v0 : index, tensor<1x4xi1>)
  ^bb1(%2: index, %r1: tensor<1x4xi1>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v2 = "dnn.as_strided"(%r1) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 1 : i64} : (tensor<1x4xi1>) -> tensor<3xi1>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v0 : index, tensor<1x4xi1>)
  ^bb3:
    %v3 = "dnn.relu"(%x0) {dnn.engine = "cpu"} : (tensor<1x4xf64>) -> tensor<1x4xf64>
    func.return %r1, %v0, %v3 : tensor<1x4xi1>, tensor<1x4xi1>, tensor<1x4xf64>
  }
}
// optimal: 4 reuse=0 refused=[kernel]; 5 succ_reuse=[-1,0]; 10 succ_reuse=[-1,0]; 11 refused=[program-input]; 3a7fe1b9f393
// paddle: 4 refused=[kernel]; 11 refused=[engine]; 8074631d2e16
// nntrainer: 4 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 6a68b0de2c82
// reinplace: 4 refused=[kernel]; 11 refused=[program-input]; 0ecc2eeb3254
// transpiler: 4 refused=[kernel]; 11 refused=[program-input]; 0ecc2eeb3254
// pool, optimal: 4 reuse=0 refused=[kernel]; 5 succ_reuse=[-1,0]; 10 succ_reuse=[-1,0]; 11 refused=[program-input]; 3a7fe1b9f393
// pool, transpiler: 4 refused=[kernel]; 11 refused=[program-input]; 0ecc2eeb3254
// random, nntrainer: 4 refused=[kernel] inplace_mode=none; 8 inplace_mode=none; 11 refused=[restricting-input] inplace_mode=none; 6a68b0de2c82
// random, transpiler: 4 refused=[kernel]; 11 refused=[program-input]; 0ecc2eeb3254
