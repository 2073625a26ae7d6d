builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
    %v1 = "dnn.tanh"(%x0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v6 = scf.for %i = %zero to %n step %one iter_args(%v2 = %v1) -> (tensor<2x2xf32>) {
      %v3 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
      %v4 = "dnn.add"(%v3, %v3) : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
      %v5 = "dnn.concat"(%v1, %v1) {axis = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
      scf.yield %v2 : tensor<2x2xf32>
    }
    %v7 = "dnn.slice"(%v1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %v8 = "dnn.concat"(%x0) {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v8, %v1, %v6, %v7 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>
  }
}
// optimal: 2 refused=[program-input]; 5 inplace=3; 7 refused=[program-input]; 76c1a62aaa70
// paddle: 2 refused=[engine]; 5 refused=[control-flow]; 7 refused=[engine]; 542e9ae8f262
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 11 inplace_mode=none; 6111e6d71bf6
// reinplace: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[program-input]; 75ca6d8827d1
// transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]; 26a62be1f56e
// pool, optimal: 2 refused=[program-input]; 5 inplace=3; 7 refused=[program-input]; 76c1a62aaa70
// pool, transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]; 26a62be1f56e
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 5 refused=[control-flow] inplace_mode=none; 6 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 11 inplace_mode=none; 6111e6d71bf6
// random, transpiler: 2 refused=[program-input]; 5 refused=[control-flow]; 7 refused=[not-listed]; 26a62be1f56e
