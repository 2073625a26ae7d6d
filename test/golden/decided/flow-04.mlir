builtin.module {
  func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2xf32>, %x2: tensor<f32> {dnn.donated}, %x3: tensor<i1>, %c0: index) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<f32>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    cf.br ^bb1(%1 : index)
  ^bb1(%2: index):
    %3 = arith.cmpi slt, %2, %c0 : index
    cf.cond_br %3, ^bb2, ^bb3
  ^bb2:
    scf.for %4 = %1 to %c0 step %0 {
      %v0 = "dnn.constant"() {value = dense<[[3.500000e+00, -1.500000e+00], [1.500000e+00, -1.500000e+00]]> : tensor<2x2xf32>} : () -> tensor<2x2xf32>
      %v1 = "dnn.mul"(%x0, %v0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    }
    %5 = arith.addi %2, %0 : index
    cf.br ^bb1(%5 : index)
  ^bb3:
    %v2 = "dnn.constant"() {value = dense<[[-1.500000e+00, 1.500000e+00, 5.000000e-01], [-2.500000e+00, 2.500000e+00, -1.500000e+00]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %v3 = "dnn.diagonal_scatter"(%v2, %x1) {offset = 0 : i64, dim1 = 1 : i64, dim2 = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    %r4 = func.call @f0(%x2, %x3) : (tensor<f32>, tensor<i1>) -> tensor<f32>
    func.return %v3, %x1, %x2 : tensor<2x3xf32>, tensor<2xf32>, tensor<f32>
  }
  func.func @f0(%x0: tensor<f32> {dnn.donated}, %x1: tensor<i1>) -> tensor<f32> {
    %v0 = "dnn.masked_fill"(%x0, %x1) {value = 7.000000e+00 : f32, dnn.engine = "cpu"} : (tensor<f32>, tensor<i1>) -> tensor<f32>
    %v1 = "dnn.maximum"(%v0, %v0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %v2 = "dnn.gelu"(%v1) : (tensor<f32>) -> tensor<f32>
    func.return %v0 : tensor<f32>
  }
}
// optimal: 9 refused=[program-input]; 14 refused=[constant]; 18 inplace=0; 19 refused=[returned]; 20 inplace=0; 949df053668e
// paddle: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 refused=[not-listed]; f157cb3eae79
// nntrainer: 9 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 refused=[not-listed] inplace_mode=none; 20 inplace=0 inplace_mode=restricting; c033ab5f791a
// reinplace: 9 refused=[program-input]; 14 refused=[constant]; 18 refused=[program-input]; 19 refused=[repeated-operand]; 20 inplace=0; c8af3a6af42d
// transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 inplace=0; c033ab5f791a
// pool, optimal: 9 refused=[program-input]; 14 refused=[constant]; 18 refused=[next-op-reuses]; 19 reuse=0 refused=[returned]; 20 inplace=0; 88ddb5553376
// pool, transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 reuse=0 refused=[not-listed]; 20 inplace=0; c033ab5f791a
// random, nntrainer: 9 refused=[not-listed] inplace_mode=none; 14 refused=[not-listed] inplace_mode=none; 15 inplace_mode=none; 18 refused=[not-listed] inplace_mode=none; 19 refused=[not-listed] inplace_mode=none; 20 inplace=0 inplace_mode=restricting; c033ab5f791a
// random, transpiler: 9 refused=[not-listed]; 14 refused=[not-listed]; 18 refused=[not-listed]; 19 refused=[not-listed]; 20 inplace=0; c033ab5f791a
