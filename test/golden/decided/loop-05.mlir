builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> (tensor<8x2xf32>, tensor<8x4xf32>) {
    %v1 = "dnn.concat"(%x0, %x0) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %v2 = "dnn.slice"(%v1) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<8x4xf32>) -> tensor<8x2xf32>
    %v3 = "dnn.neg"(%v2) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    %v13, %v14 = scf.while (%v4 = %x0, %v5 = %v2) : (tensor<4x4xf32>, tensor<8x2xf32>) -> (tensor<4x4xf32>, tensor<8x2xf32>) {
      %v8 = "dnn.exp"(%v2) {dnn.engine = "cpu"} : (tensor<8x2xf32>) -> tensor<8x2xf32>
      scf.condition(%c) %v4, %v8 : tensor<4x4xf32>, tensor<8x2xf32>
    } do {
    ^bb0(%v6: tensor<4x4xf32>, %v7: tensor<8x2xf32>):
      %v9 = "dnn.slice"(%v2) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<8x2xf32>) -> tensor<8x1xf32>
      %v10 = "dnn.concat"(%v6, %v6, %x0) {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
      %v11 = "dnn.slice"(%v10) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x12xf32>) -> tensor<4x2xf32>
      %v12 = "dnn.abs"(%v11) : (tensor<4x2xf32>) -> tensor<4x2xf32>
      scf.yield %v6, %v7 : tensor<4x4xf32>, tensor<8x2xf32>
    }
    %v15 = "dnn.fill"(%v14) {value = 1.000000e+00 : f32} : (tensor<8x2xf32>) -> tensor<8x2xf32>
    func.return %v15, %v1 : tensor<8x2xf32>, tensor<8x4xf32>
  }
}
// optimal: 4 refused=[used-later]; 5 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[layout]; 6 reuse=0 refused=[layout]; 11 inplace=0; 13 inplace=0; ffd0b5721a99
// paddle: 4 refused=[not-listed]; 5 refused=[program-input layout]; 6 refused=[not-listed]; 11 refused=[engine]; 13 refused=[not-listed]; aab829fb042c
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input layout] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 13 refused=[not-listed] inplace_mode=none; 2de517d84ba0
// reinplace: 4 refused=[used-later]; 5 refused=[program-input layout]; 6 refused=[returned]; 11 inplace=0; 13 inplace=0; 35f8b62cd782
// transpiler: 4 refused=[not-listed]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 refused=[not-listed]; dd6727a385d0
// pool, optimal: 4 refused=[used-later]; 5 inplace=0,-1 reuse=-1,0 succ_reuse=[-1,0] refused=[layout]; 6 reuse=0 refused=[layout]; 11 inplace=0; 13 inplace=0; ffd0b5721a99
// pool, transpiler: 4 refused=[not-listed]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 refused=[not-listed]; dd6727a385d0
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[program-input layout] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=none; 13 inplace=0 inplace_mode=none; 200802a4e8eb
// random, transpiler: 4 refused=[not-listed]; 5 refused=[program-input layout]; 6 refused=[layout]; 11 inplace=0; 13 inplace=0; 213d91f5f65d
