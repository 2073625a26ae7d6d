builtin.module {
  func.func @main(%x0: tensor<2x4xf32>, %c: i1, %n: index) -> tensor<2x4xf32> {
    %v1 = "dnn.pad"(%x0) {pads = array<i64: 0, 0, 2, 0>} : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %v2 = "dnn.slice"(%x0) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x2xf32>
    %v6 = scf.if %c -> (tensor<2x4xf32>) {
      %v3 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
      scf.yield %v3 : tensor<2x4xf32>
    } else {
      %v4 = "dnn.reduce_sum"(%x0) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x4xf32>) -> tensor<1x4xf32>
      %v5 = "dnn.reduce_sum"(%v4) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<1x4xf32>) -> tensor<1x4xf32>
      scf.yield %x0 : tensor<2x4xf32>
    }
    %v7 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    %v8 = "dnn.slice_scatter"(%x0, %v2) {dim = 1 : i64, start = 0 : i64, end = 2 : i64} : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
    func.return %v8 : tensor<2x4xf32>
  }
}
// optimal: 4 reuse=0; 5 inplace=0; 7 refused=[kernel]; 8 refused=[kernel]; 10 inplace=0; 11 inplace=0; 6eef0f6b21a9
// paddle: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]; 06bbfee889e1
// nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 reuse=0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 06bbfee889e1
// reinplace: 4 reuse=0; 5 reuse=0 refused=[program-input]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[program-input]; 11 refused=[program-input]; 1bdc2f7adf8c
// transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]; 06bbfee889e1
// pool, optimal: 4 reuse=0; 5 inplace=0; 7 refused=[kernel]; 8 refused=[kernel]; 10 inplace=0; 11 inplace=0; 6eef0f6b21a9
// pool, transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]; 06bbfee889e1
// random, nntrainer: 2 inplace_mode=none; 3 inplace_mode=none; 4 reuse=0 inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 7 refused=[kernel] inplace_mode=none; 8 refused=[kernel] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[not-listed] inplace_mode=none; 06bbfee889e1
// random, transpiler: 4 reuse=0; 5 reuse=0 refused=[not-listed]; 7 refused=[kernel]; 8 refused=[kernel]; 10 refused=[not-listed]; 11 refused=[not-listed]; 06bbfee889e1
