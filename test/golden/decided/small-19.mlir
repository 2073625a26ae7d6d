builtin.module {
  func.func @main(%x0: tensor<1x4xf32>, %x1: tensor<2x2xf32>, %c0: index) -> (tensor<2x2xf32>, tensor<1x4xf32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.add"(%x0, %x0) {dnn.engine = "cpu"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %2, %r4 = scf.while (%3 = %1, %r1 = %x0) : (index, tensor<1x4xf32>) -> (index, tensor<1x4xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v0 : index, tensor<1x4xf32>
    } do {
    ^bb0(%5: index, %r2: tensor<1x4xf32>):
      %v3 = "dnn.greater_or_equal"(%x0, %v0) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<1x4xf32>
    }
    %v5 = "dnn.softmax"(%x1) {axis = 1 : i64, dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v5, %v0 : tensor<2x2xf32>, tensor<1x4xf32>
  }
}
// optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,0 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]; 1751e1fdc7fa
// paddle: 4 refused=[engine]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[engine]; 189de664c0fa
// nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 4d451b3ce7fd
// reinplace: 4 refused=[program-input]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]; bc9d4dc45582
// transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[not-listed]; 4d451b3ce7fd
// pool, optimal: 4 reuse=0 refused=[program-input]; 5 reuse=-1,0 refused=[program-input]; 8 refused=[kernel]; 11 refused=[program-input]; 1751e1fdc7fa
// pool, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[not-listed]; 4d451b3ce7fd
// random, nntrainer: 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 4d451b3ce7fd
// random, transpiler: 4 refused=[not-listed]; 5 refused=[program-input]; 8 refused=[kernel]; 11 refused=[not-listed]; 4d451b3ce7fd
