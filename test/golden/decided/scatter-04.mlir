builtin.module {
  func.func @main(%x0: tensor<2x2xf32> {dnn.donated}, %c: i1, %n: index) -> tensor<2x2xf32> {
    %v1 = "dnn.add"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v2, %v3 = "dnn.multiout"(%x0) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    %v4 = "dnn.slice"(%v3) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %v5 = "dnn.slice_scatter"(%x0, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v6 = "dnn.fill"(%v5) {value = 1.000000e+00 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %v7 = "dnn.slice_scatter"(%v3, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v4) {dim = 1 : i64, start = 0 : i64, end = 1 : i64} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    %v9 = "dnn.gemm"(%v5, %v8, %v5) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %v9 : tensor<2x2xf32>
  }
}
// optimal: 2 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 refused=[repeated-operand]; a0fd486cc78f
// paddle: 2 refused=[engine]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 4c55ab96e075
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=restricting; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 513dc8983e04
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[used-later]; 7 refused=[program-input]; 8 refused=[program-input]; 9 refused=[repeated-operand]; c55834694d32
// transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 513dc8983e04
// pool, optimal: 2 refused=[used-later]; 5 inplace=0; 6 refused=[used-later]; 7 inplace=0; 8 inplace=0; 9 refused=[repeated-operand]; a0fd486cc78f
// pool, transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 513dc8983e04
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=restricting; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 8 refused=[not-listed] inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 513dc8983e04
// random, transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 7 refused=[not-listed]; 8 refused=[not-listed]; 9 refused=[not-listed]; 513dc8983e04
