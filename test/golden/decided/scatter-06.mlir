builtin.module {
  func.func @main(%x0: tensor<4x2xf32>, %c: i1, %n: index) -> tensor<1x2xf32> {
    %v1 = "dnn.slice"(%x0) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>) -> tensor<2x2xf32>
    %v2 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v3 = "dnn.slice_scatter"(%x0, %v1) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %v4 = "dnn.add"(%x0, %x0) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %v5 = "dnn.reduce_sum"(%v2) {axes = array<i64: 0>, keepdims = true, dnn.engine = "cpu"} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    func.return %v5 : tensor<1x2xf32>
  }
}
// optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[size]; 4b94232841dc
// paddle: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[size]; 840c3eb5d7d3
// nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[size] inplace_mode=none; 840c3eb5d7d3
// reinplace: 3 refused=[program-input]; 4 refused=[program-input]; 5 refused=[program-input]; 6 refused=[size]; 3b32b0e7df3b
// transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[size]; 840c3eb5d7d3
// pool, optimal: 3 inplace=0; 4 inplace=0; 5 refused=[program-input]; 6 refused=[size]; 4b94232841dc
// pool, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[size]; 840c3eb5d7d3
// random, nntrainer: 2 inplace_mode=none; 3 refused=[not-listed] inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[size] inplace_mode=none; 840c3eb5d7d3
// random, transpiler: 3 refused=[not-listed]; 4 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[size]; 840c3eb5d7d3
