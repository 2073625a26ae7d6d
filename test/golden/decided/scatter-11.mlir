builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> (tensor<2x2xf32>, tensor<2x1xf32>) {
    %v1 = "dnn.slice"(%x0) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v2 = "dnn.add"(%v1, %v1) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v3 = "dnn.mul"(%v1, %v1) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v4 = "dnn.add"(%v3, %v3) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.concat"(%v2, %v2, %v1) {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    %v7 = "dnn.slice_scatter"(%v5, %v2) {dim = 1 : i64, start = 1 : i64, end = 2 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    func.return %v7, %v4 : tensor<2x2xf32>, tensor<2x1xf32>
  }
}
// optimal: 3 refused=[used-later]; 4 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 parts=0; 8 inplace=0; 49c6a6e42aa7
// paddle: 3 refused=[engine]; 4 refused=[not-listed]; 5 refused=[engine]; 6 refused=[not-listed]; 8 refused=[not-listed]; e37b54d697f1
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 194d05313834
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[repeated-operand]; 6 refused=[program-input]; 8 inplace=0; 595669ef135d
// transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 194d05313834
// pool, optimal: 3 refused=[used-later]; 4 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 parts=0; 8 inplace=0; 49c6a6e42aa7
// pool, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 8 refused=[not-listed]; 194d05313834
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 inplace=1 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace=0 inplace_mode=none; 3f237af71e63
// random, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 inplace=1; 6 refused=[not-listed]; 8 inplace=0; 3f237af71e63
