builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.tanh"(%x0) {dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.concat"(%v1, %x0) {axis = 0 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %v5 = "dnn.sum"(%x0, %x0, %v1) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.slice_scatter"(%v5, %v2) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    func.return %v6 : tensor<2x4xf32>
  }
}
// optimal: 2 refused=[program-input]; 4 inplace=0; 5 parts=0; 6 refused=[program-input]; 7 inplace=0; 40c0b291d09a
// paddle: 2 refused=[engine]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 73fabb247d84
// nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; c9520a506602
// reinplace: 2 refused=[program-input]; 4 refused=[program-input]; 6 refused=[program-input]; 7 inplace=0; 921a8b69000e
// transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; e2d55ec2a819
// pool, optimal: 2 refused=[program-input]; 4 inplace=0; 5 parts=0; 6 refused=[program-input]; 7 inplace=0; 40c0b291d09a
// pool, transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; e2d55ec2a819
// random, nntrainer: 2 refused=[restricting-input] inplace_mode=none; 3 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; c9520a506602
// random, transpiler: 2 refused=[program-input]; 4 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; e2d55ec2a819
