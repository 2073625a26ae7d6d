builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> (tensor<4x2xf32> {dnn.tied = 0 : i32}, tensor<4x2xf32>) {
    %v1 = "dnn.abs"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v2 = "dnn.abs"(%x0) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.slice"(%v1) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x1xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %v6 = "dnn.fill"(%v4) {value = 1.000000e+00 : f32} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v7 = "dnn.abs"(%v5) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %v8 = "dnn.slice_scatter"(%v1, %v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    func.return %v8, %v2 : tensor<4x2xf32>, tensor<4x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 3 refused=[used-later]; 5 inplace=0; 6 inplace=0; 7 inplace=0; 8 refused=[used-later]; 9 inplace=0; 2062388bd5f2
// paddle: 2 refused=[engine]; 3 refused=[engine]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[engine]; 9 refused=[not-listed]; 396e923df2b8
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; c60d19991f22
// reinplace: 2 refused=[program-input]; 3 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0; 7 inplace=0; 8 refused=[returned]; 9 inplace=0; ca10de5c7c73
// transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[not-listed]; f044c7b09e35
// pool, optimal: 2 refused=[used-later]; 3 refused=[used-later]; 5 inplace=0 reuse=0; 6 inplace=0; 7 inplace=0; 8 reuse=0 refused=[used-later]; 9 inplace=0; 2062388bd5f2
// pool, transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 reuse=0 refused=[not-listed]; 6 reuse=0 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0 reuse=0; 9 refused=[not-listed]; f044c7b09e35
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace=0 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 532f2d2cfb7a
// random, transpiler: 2 refused=[used-later]; 3 refused=[used-later]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 inplace=0; 9 refused=[not-listed]; f044c7b09e35
