builtin.module {
  func.func @main(%x0: tensor<2x2xf64>, %x1: tensor<1xf64>) -> tensor<2xf64> {
    %v0 = "dnn.tanh"(%x0) : (tensor<2x2xf64>) -> tensor<2x2xf64>
    %v1 = "dnn.select"(%x0) {dim = 1 : i64, index = -1 : i64, dnn.engine = "cpu"} : (tensor<2x2xf64>) -> tensor<2xf64>
    %v2 = "dnn.sqrt"(%v1) : (tensor<2xf64>) -> tensor<2xf64>
    %v3 = "dnn.transpose"(%v2) {perm = array<i64: 0>} : (tensor<2xf64>) -> tensor<2xf64>
    %v4 = "dnn.scale"(%v1) {scale = 5.000000e-01 : f32, bias = 1.000000e+00 : f32} : (tensor<2xf64>) -> tensor<2xf64>
    %v5 = "dnn.diagonal_scatter"(%v0, %x1) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x2xf64>, tensor<1xf64>) -> tensor<2x2xf64>
    %v6 = "dnn.reshape"(%x1) : (tensor<1xf64>) -> tensor<1xf64>
    %v7 = "dnn.sub"(%v6, %v4) : (tensor<1xf64>, tensor<2xf64>) -> tensor<2xf64>
    %v8 = "dnn.slice"(%v2) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<2xf64>) -> tensor<2xf64>
    %v9 = "dnn.neg"(%v8) : (tensor<2xf64>) -> tensor<2xf64>
    func.return %v9 : tensor<2xf64>
  }
}
// optimal: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 inplace=1; 11 inplace=0; 2317f5b479e4
// paddle: 2 refused=[engine]; 4 refused=[engine]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 refused=[not-listed]; 53631316f0cb
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 27133257b8e8
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 refused=[broadcast]; 11 inplace=0; 09f8ad99167d
// transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 refused=[not-listed]; 57113b93647e
// pool, optimal: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 9 inplace=1; 11 inplace=0; 2317f5b479e4
// pool, transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 refused=[not-listed]; 9 refused=[not-listed]; 11 refused=[not-listed]; 57113b93647e
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace=0 inplace_mode=none; 8 inplace_mode=none; 9 inplace=1 inplace_mode=none; 10 inplace_mode=none; 11 inplace=0 inplace_mode=none; 221657eaee42
// random, transpiler: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[not-listed]; 7 inplace=0; 9 inplace=1; 11 inplace=0; 2217bb496f2b
