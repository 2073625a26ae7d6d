builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> (tensor<1x4xf32>, tensor<2x4xf32>) {
    %v1 = "dnn.copy_into"(%x0, %x0) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v5 = scf.for %i = %zero to %n step %one iter_args(%v2 = %x0) -> (tensor<2x4xf32>) {
      %v3 = "dnn.concat"(%x0, %v2) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %v4 = "dnn.concat"(%v3) {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %v2 : tensor<2x4xf32>
    }
    %v6 = "dnn.copy"(%x0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v7 = "dnn.slice"(%x0) {dim = 0 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<1x4xf32>
    func.return %v7, %v6 : tensor<1x4xf32>, tensor<2x4xf32>
  }
}
// optimal: 2 inplace=0; 5 inplace=3; 7 parts=0; 6e5470166b3a
// paddle: 2 refused=[not-listed]; 5 refused=[program-input]; 1d70d2e94923
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 1d70d2e94923
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 0048ed4442ba
// transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 1d70d2e94923
// pool, optimal: 2 inplace=0; 5 inplace=3; 7 parts=0; 6e5470166b3a
// pool, transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 1d70d2e94923
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 5 refused=[program-input] inplace_mode=none; 6 inplace_mode=none; 7 inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 1d70d2e94923
// random, transpiler: 2 refused=[not-listed]; 5 refused=[program-input]; 1d70d2e94923
