builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.transpose"(%x0) {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v5 = scf.while (%v2 = %v1) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
      %v4 = "dnn.neg"(%v2) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.condition(%c) %v2 : tensor<2x2xf32>
    } do {
    ^bb0(%v3: tensor<2x2xf32>):
      scf.yield %v3 : tensor<2x2xf32>
    }
    func.return %v5 : tensor<2x2xf32>
  }
}
// optimal: 3 inplace=0; 4 refused=[used-later]; 08068e7c108f
// paddle: 3 refused=[layout]; 4 refused=[not-listed]; 5b0bb3c182a0
// nntrainer: 2 inplace_mode=none; 3 refused=[layout] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5b0bb3c182a0
// reinplace: 3 refused=[layout]; 4 refused=[used-later]; 03e20d883d32
// transpiler: 3 refused=[layout]; 4 refused=[not-listed]; 5b0bb3c182a0
// pool, optimal: 3 inplace=0; 4 refused=[used-later]; 08068e7c108f
// pool, transpiler: 3 refused=[layout]; 4 refused=[not-listed]; 5b0bb3c182a0
// random, nntrainer: 2 inplace_mode=none; 3 refused=[layout] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5b0bb3c182a0
// random, transpiler: 3 refused=[layout]; 4 refused=[not-listed]; 5b0bb3c182a0
