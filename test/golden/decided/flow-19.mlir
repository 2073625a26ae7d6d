builtin.module {
  func.func @main(%x0: tensor<2x1xf32>, %x1: tensor<2x1xf32>, %x2: tensor<1x2x3xf32> {dnn.donated}, %c0: index) -> tensor<1x2x3xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.expand"(%x0) : (tensor<2x1xf32>) -> tensor<1x2x3xf32>
    %v1 = "dnn.addcmul"(%x0, %x1, %x1) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    cf.br ^bb1(%1, %v0 : index, tensor<1x2x3xf32>)
  ^bb1(%2: index, %r2: tensor<1x2x3xf32>):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    %v3 = "dnn.neg"(%x1) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %v4 = "dnn.abs"(%r2) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %4 = arith.addi %2, %0 : index
    cf.br ^bb1(%4, %v4 : index, tensor<1x2x3xf32>)
  ^bb3:
    func.return %v0 : tensor<1x2x3xf32>
  }
}
// optimal: 5 refused=[program-input]; 9 refused=[program-input]; 10 inplace=0; c51d2acf176d
// paddle: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 44af9eb69df8
// nntrainer: 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 05ccf6bf9c08
// reinplace: 5 refused=[program-input]; 9 refused=[program-input]; 10 inplace=0; c51d2acf176d
// transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 inplace=0; 948a4e49a5f6
// pool, optimal: 5 refused=[program-input]; 9 refused=[program-input]; 10 inplace=0; c51d2acf176d
// pool, nntrainer: 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 05ccf6bf9c08
// pool, transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 inplace=0; 948a4e49a5f6
// random, optimal: 5 refused=[program-input]; 9 refused=[program-input]; 10 inplace=0; c51d2acf176d
// random, nntrainer: 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 05ccf6bf9c08
// random, transpiler: 5 refused=[not-listed]; 9 refused=[not-listed]; 10 inplace=0; 948a4e49a5f6
