builtin.module {
  func.func @main(%x0: tensor<4x1xi32>, %x1: tensor<4x1xi1> {dnn.donated}, %c0: index) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<[[-2.500000e+00, -1.500000e+00], [-1.500000e+00, 5.000000e-01]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
    %v1 = "dnn.elu"(%v0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2, %r6 = scf.while (%3 = %1, %r2 = %v1) : (index, tensor<2x2xf32>) -> (index, tensor<2x2xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %r2 : index, tensor<2x2xf32>
    } do {
    ^bb0(%5: index, %r3: tensor<2x2xf32>):
      %r4, %r5 = func.call @f0(%x0, %x1) : (tensor<4x1xi32>, tensor<4x1xi1>) -> (tensor<4x1xi32>, tensor<4x1xi32>)
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v0 : index, tensor<2x2xf32>
    }
    %v7, %v8, %v9, %v10 = "dnn.unbind"(%x0) {axis = 0 : i64} : (tensor<4x1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
    func.return %v7, %v9, %v8 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
  }
  func.func @f0(%x0: tensor<4x1xi32>, %x1: tensor<4x1xi1>) -> (tensor<4x1xi32>, tensor<4x1xi32>) {
    %v0 = "dnn.where"(%x1, %x0, %x0) : (tensor<4x1xi1>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    func.return %v0, %v0 : tensor<4x1xi32>, tensor<4x1xi32>
  }
}
// optimal: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[program-input]; dacd0d8442bd
// paddle: 5 refused=[not-listed]; 6 inplace=-1,1; 15 refused=[not-listed]; d059d8205725
// nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace=-1,1 inplace_mode=none; 9 inplace_mode=none; 12 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 00e1db59f428
// reinplace: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]; 00e1db59f428
// transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]; 00e1db59f428
// pool, optimal: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[program-input]; dacd0d8442bd
// pool, transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]; 00e1db59f428
// random, nntrainer: 5 refused=[constant] inplace_mode=none; 6 inplace=-1,1 inplace_mode=none; 9 inplace_mode=none; 12 inplace_mode=none; 15 refused=[not-listed] inplace_mode=none; 00e1db59f428
// random, transpiler: 5 refused=[constant]; 6 inplace=-1,1; 15 refused=[not-listed]; 00e1db59f428
