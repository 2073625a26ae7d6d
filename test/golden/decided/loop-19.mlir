builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %v1 = "dnn.tanh"(%x0) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v3, %v4 = scf.if %c -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
      scf.yield %v1, %v1 : tensor<2x2xf32>, tensor<2x2xf32>
    } else {
      scf.yield %x0, %x0 : tensor<2x2xf32>, tensor<2x2xf32>
    }
    %v5 = "dnn.tanh"(%v1) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.concat"(%v1, %v1) {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    func.return %v6, %v5 : tensor<4x2xf32>, tensor<2x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=1; 6c1c9cdba17f
// paddle: 2 refused=[engine]; 7 refused=[engine]; 6a80379d6bfe
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none; 43b5bc106c07
// reinplace: 2 refused=[program-input]; 7 refused=[used-later]; 6eb298d81717
// transpiler: 2 refused=[program-input]; 7 refused=[used-later]; fd9d75e6d144
// pool, optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=1; 6c1c9cdba17f
// pool, transpiler: 2 refused=[program-input]; 7 refused=[used-later]; fd9d75e6d144
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none; 43b5bc106c07
// random, transpiler: 2 refused=[program-input]; 7 refused=[used-later]; fd9d75e6d144
