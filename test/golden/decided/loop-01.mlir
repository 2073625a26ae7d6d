builtin.module {
  func.func @main(%x0: tensor<4x4xf32>, %c: i1, %n: index) -> (tensor<4x4xf32> {dnn.tied = 0 : i32}) {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.tanh"(%x0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %v9 = scf.for %i = %zero to %n step %one iter_args(%v3 = %x0) -> (tensor<4x4xf32>) {
      %v4 = "dnn.add"(%v1, %v3) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %v5 = "dnn.sub"(%v1, %v4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %v6 = "dnn.concat"(%v3, %v4) {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
      %v7 = "dnn.slice"(%v6) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<8x4xf32>) -> tensor<8x2xf32>
      %v8 = "dnn.relu"(%v7) : (tensor<8x2xf32>) -> tensor<8x2xf32>
      scf.yield %v4 : tensor<4x4xf32>
    }
    %v10 = "dnn.copy_into"(%v9, %v1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v10 : tensor<4x4xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[control-flow]; 9 parts=1; 11 refused=[used-later]; 13 inplace=0; 5afa15076107
// paddle: 2 refused=[engine]; 3 refused=[engine]; 6 inplace=3; 7 refused=[engine]; 8 refused=[not-listed]; 11 refused=[engine]; 13 refused=[not-listed]; 03ba64b808ce
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 6 inplace=3 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=restricting; 13 refused=[not-listed] inplace_mode=none; edd1cd523d98
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[used-later]; 11 inplace=0; 13 inplace=0; 2cd1012988e5
// transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 refused=[not-listed]; ecbc94acdd0b
// pool, optimal: 2 refused=[used-later]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[used-later]; 8 refused=[control-flow]; 9 parts=1; 11 refused=[used-later]; 13 inplace=0; 5afa15076107
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 refused=[not-listed]; ecbc94acdd0b
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 6 inplace=3 inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=restricting; 13 inplace=0 inplace_mode=none; 99ee8e114108
// random, transpiler: 2 refused=[not-listed]; 3 refused=[used-later]; 6 inplace=3; 7 refused=[not-listed]; 8 refused=[not-listed]; 11 inplace=0; 13 inplace=0; c8c4e7f509d6
