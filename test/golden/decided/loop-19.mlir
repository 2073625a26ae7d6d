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
// optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=1; a77a68db7f6f
// paddle: 2 refused=[kernel]; 7 refused=[kernel]; bd3fc23ac9b0
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none; c0865acf6874
// reinplace: 2 refused=[program-input]; 7 refused=[used-later]; b3ccff37a4ed
// transpiler: 2 refused=[program-input]; 7 refused=[used-later]; 532508dc89e3
// pool, optimal: 2 refused=[program-input]; 7 refused=[used-later]; 8 parts=1; a77a68db7f6f
// pool, transpiler: 2 refused=[program-input]; 7 refused=[used-later]; 532508dc89e3
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 7 refused=[restricting-input] inplace_mode=none; 8 inplace_mode=none; c0865acf6874
// random, transpiler: 2 refused=[program-input]; 7 refused=[used-later]; 532508dc89e3
