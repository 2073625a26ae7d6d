builtin.module {
  func.func @main(%x0: tensor<2x1xf32>, %c0: index, %c1: i1) -> (tensor<2x1xf32> {dnn.tied = 0 : i32}, tensor<2x2x1xf32>, tensor<2x1xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.expand"(%x0) {dnn.engine = "cpu"} : (tensor<2x1xf32>) -> tensor<2x2x1xf32>
    cf.br ^bb1(%1, %v0 : index, tensor<2x2x1xf32>)
  ^bb1(%2: index, %r1: tensor<2x2x1xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %r3 = scf.if %c1 -> (tensor<2x2x1xf32>) {
      %v2 = "dnn.as_strided"(%x0) {size = array<i64: 2>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x1xf32>) -> tensor<2xf32>
      scf.yield %v0 : tensor<2x2x1xf32>
    } else {
      scf.yield %r1 : tensor<2x2x1xf32>
    }
    %v4 = "dnn.neg"(%r1) : (tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v4 : index, tensor<2x2x1xf32>)
  ^bb3:
    %v5 = "dnn.leaky_relu"(%x0) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    func.return %x0, %v0, %x0 : tensor<2x1xf32>, tensor<2x2x1xf32>, tensor<2x1xf32>
  }
}
// optimal: 12 inplace=0; 15 refused=[returned]; 9adf8fda28b2
// paddle: 12 refused=[not-listed]; 15 refused=[engine]; e3e5bc844ae2
// nntrainer: 4 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 15 refused=[restricting-input] inplace_mode=none; 55d6207b3a9b
// reinplace: 12 inplace=0; 15 refused=[program-input]; 4046cd99b864
// transpiler: 12 refused=[not-listed]; 15 refused=[returned]; 7bfff5995bb3
// pool, optimal: 12 inplace=0; 15 refused=[returned]; 9adf8fda28b2
// pool, transpiler: 12 refused=[not-listed]; 15 refused=[returned]; 7bfff5995bb3
// random, nntrainer: 4 inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 15 refused=[restricting-input] inplace_mode=none; 55d6207b3a9b
// random, transpiler: 12 refused=[not-listed]; 15 refused=[returned]; 7bfff5995bb3
