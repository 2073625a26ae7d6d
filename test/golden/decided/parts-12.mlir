builtin.module {
  func.func @main(%x0: tensor<4xf32> {dnn.donated}, %x1: tensor<1xf32>, %x2: tensor<1x1xf32>) -> (tensor<6x1xf32>, tensor<1x6xf32>) {
    %v0 = "dnn.sum"(%x0, %x0, %x0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %v1 = "dnn.transpose"(%v0) {perm = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    %v2 = "dnn.concat"(%v0) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %v3 = "dnn.slice_scatter"(%x0, %x1) {dim = 0 : i64, start = 1 : i64, end = 2 : i64, step = 2 : i64} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %v4 = "dnn.cast"(%x1) : (tensor<1xf32>) -> tensor<1xf32>
    %v5 = "dnn.flatten"(%v2) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1x4xf32>
    %v6 = "dnn.zero_bias"() : () -> tensor<1x6xf32>
    %v7 = "dnn.relu_grad"(%v5, %v5) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %v8 = "dnn.gemm"(%v6, %x2) {transA = 1 : i64, transB = 1 : i64} : (tensor<1x6xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
    %v9 = "dnn.gemm"(%x2, %v8) {transA = 0 : i64, transB = 1 : i64} : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<1x6xf32>
    %v10 = "dnn.slice_scatter"(%v8, %v8) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 2 : i64} : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    func.return %v10, %v9 : tensor<6x1xf32>, tensor<1x6xf32>
  }
}
// optimal: 2 refused=[repeated-operand]; 4 parts=0; 5 inplace=0; 6 refused=[program-input]; 9 inplace=0; 10 refused=[kernel]; 11 refused=[kernel]; 12 inplace=0; 7dee8f8ab242
// paddle: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]; 717a1a42c216
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=non_restricting; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 717a1a42c216
// reinplace: 2 refused=[program-input]; 5 refused=[program-input]; 6 refused=[program-input]; 9 refused=[repeated-operand]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[repeated-operand]; c3d237f5557a
// transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]; 717a1a42c216
// pool, optimal: 2 reuse=0 refused=[repeated-operand]; 5 reuse=0 refused=[taken]; 6 refused=[program-input]; 9 inplace=0; 10 refused=[kernel]; 11 refused=[kernel]; 12 inplace=0; afd507389fc8
// pool, transpiler: 2 reuse=0 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]; 717a1a42c216
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 inplace_mode=none; 4 inplace_mode=none; 5 refused=[not-listed] inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=non_restricting; 8 inplace_mode=none; 9 inplace=1 inplace_mode=none; 10 refused=[kernel] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[not-listed] inplace_mode=none; 25cac45fd565
// random, transpiler: 2 refused=[not-listed]; 5 refused=[not-listed]; 6 refused=[not-listed]; 9 inplace=1; 10 refused=[kernel]; 11 refused=[kernel]; 12 refused=[not-listed]; 25cac45fd565
