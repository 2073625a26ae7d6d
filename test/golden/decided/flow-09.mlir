builtin.module {
  func.func @main(%x0: tensor<4xf64>, %x1: tensor<1xf32>, %x2: tensor<1xf32>, %x3: tensor<1x1xf32>, %c0: index) -> (tensor<1xf32>, tensor<1xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 0 : i64} : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<12xf64>
    %v1 = "dnn.constant"() {value = dense<[[-1.500000e+00], [-5.000000e-01], [5.000000e-01], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v2 = "dnn.constant"() {value = dense<1.500000e+00> : tensor<1xf32>} : () -> tensor<1xf32>
    %v3 = "dnn.batch_norm"(%v1, %x1, %x1, %x2, %v2) : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
    cf.br ^bb1(%1, %v1 : index, tensor<4x1xf32>)
  ^bb1(%2: index, %r4: tensor<4x1xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v5 = "dnn.slice_scatter"(%r4, %x3) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %r4 : index, tensor<4x1xf32>)
  ^bb3:
    func.return %v2, %v2 : tensor<1xf32>, tensor<1xf32>
  }
}
// optimal: 7 refused=[constant]; 11 refused=[used-later]; 4a74eff4740b
// paddle: 7 refused=[not-listed]; 11 refused=[not-listed]; b439f280d0f1
// nntrainer: 4 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 8604a9a9826c
// reinplace: 7 refused=[constant]; 11 refused=[used-later]; 888175ed84ab
// transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]; b439f280d0f1
// pool, optimal: 7 refused=[constant]; 11 refused=[used-later]; 4a74eff4740b
// pool, transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]; b439f280d0f1
// random, nntrainer: 4 inplace_mode=none; 7 refused=[constant] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 8604a9a9826c
// random, transpiler: 7 refused=[not-listed]; 11 refused=[not-listed]; b439f280d0f1
