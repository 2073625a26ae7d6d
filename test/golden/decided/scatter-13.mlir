builtin.module {
  func.func @main(%x0: tensor<2x4xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v4 = "dnn.slice_scatter"(%x0, %v1) {dim = 1 : i64, start = 2 : i64, end = 4 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v5 = "dnn.mul"(%v3, %v4) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %v6 = "dnn.copy"(%v2) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v6 : tensor<2x2xf32>
  }
}
// optimal: 3 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0; e14bb9d49f18
// paddle: 3 refused=[engine]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 5eecc587a1cc
// nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 34440ca844b5
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 inplace=0; 7c836c32f7ea
// transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 43032904f779
// pool, optimal: 3 refused=[used-later]; 4 inplace=0; 5 inplace=0; 6 inplace=0 reuse=0; e14bb9d49f18
// pool, transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 reuse=0 refused=[not-listed]; 43032904f779
// random, nntrainer: 2 inplace_mode=none; 3 refused=[restricting-input] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 inplace=0 inplace_mode=none; 7 inplace_mode=none; 31706bba161f
// random, transpiler: 3 refused=[used-later]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 inplace=0; 43a632885632
