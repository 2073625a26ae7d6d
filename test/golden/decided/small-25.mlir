builtin.module {
  func.func @main(%x0: tensor<1xi32> {dnn.donated}, %x1: tensor<2x1x3xf32>, %x2: tensor<4x1xi32>, %x3: tensor<2x6xf32> {dnn.donated}, %c0: i1) -> (tensor<4x1xi32> {dnn.tied = 2 : i32}, tensor<2x6xf32>, tensor<i32>) {
    %r3, %r4 = scf.if %c0 -> (tensor<2x1x3xf32>, tensor<1xi32>) {
      %v0 = "dnn.constant"() {value = dense<[[-3, 1, 2, 1], [-3, 1, -2, 1], [1, 0, 3, 3]]> : tensor<3x4xi32>} : () -> tensor<3x4xi32>
      %v1 = "dnn.diagonal_scatter"(%v0, %x0) {offset = 3 : i64, dim1 = 0 : i64, dim2 = 1 : i64, dnn.engine = "cpu"} : (tensor<3x4xi32>, tensor<1xi32>) -> tensor<3x4xi32>
      %v2 = "dnn.exp"(%x1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
      scf.yield %v2, %x0 : tensor<2x1x3xf32>, tensor<1xi32>
    } else {
      scf.yield %x1, %x0 : tensor<2x1x3xf32>, tensor<1xi32>
    }
    %v5 = "dnn.unbind"(%r4) {axis = 0 : i64} : (tensor<1xi32>) -> tensor<i32>
    %v6 = "dnn.constant"() {value = dense<[[1.500000e+00, 3.500000e+00, -5.000000e-01, -2.500000e+00, 3.500000e+00, -2.500000e+00], [3.500000e+00, -2.500000e+00, -2.500000e+00, -2.500000e+00, -1.500000e+00, -2.500000e+00], [5.000000e-01, -5.000000e-01, 3.500000e+00, -2.500000e+00, 1.500000e+00, 3.500000e+00]]> : tensor<3x6xf32>} : () -> tensor<3x6xf32>
    %r7 = func.call @f0(%x2, %v6, %x3) : (tensor<4x1xi32>, tensor<3x6xf32>, tensor<2x6xf32>) -> tensor<3xi64>
    func.return %x2, %x3, %v5 : tensor<4x1xi32>, tensor<2x6xf32>, tensor<i32>
  }
  func.func @f0(%x0: tensor<4x1xi32>, %x1: tensor<3x6xf32>, %x2: tensor<2x6xf32> {dnn.donated}) -> tensor<3xi64> {
    %v0 = "dnn.concat"(%x0, %x0, %x0) {axis = 0 : i64} : (tensor<4x1xi32>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<12x1xi32>
    %v1 = "dnn.constant"() {value = dense<[0, 3, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
    %v2 = "dnn.gru"(%x1, %x2, %v1) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<3x6xf32>, tensor<2x6xf32>, tensor<3xi64>) -> tensor<3x2xf32>
    func.return %v1 : tensor<3xi64>
  }
}
// optimal: 2 reuse=1,0; 4 refused=[constant]; 5 reuse=1 refused=[program-input]; 15 refused=[kernel]; 18e6577458d4
// paddle: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[not-listed]; 15 refused=[kernel]; 7984cc676702
// nntrainer: 2 reuse=0,1 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 13 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 7984cc676702
// reinplace: 2 reuse=0,1; 4 refused=[constant]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]; 18e6577458d4
// transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]; 6a61d1e0952b
// pool, optimal: 2 reuse=1,0; 4 refused=[constant]; 5 reuse=1 refused=[program-input]; 15 refused=[kernel]; 18e6577458d4
// pool, transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]; 6a61d1e0952b
// random, nntrainer: 2 reuse=0,1 inplace_mode=none; 4 refused=[not-listed] inplace_mode=none; 5 reuse=0 refused=[not-listed] inplace_mode=none; 8 inplace_mode=none; 10 inplace_mode=none; 13 inplace_mode=none; 15 refused=[kernel] inplace_mode=none; 7984cc676702
// random, transpiler: 2 reuse=0,1; 4 refused=[not-listed]; 5 reuse=0 refused=[program-input]; 15 refused=[kernel]; 6a61d1e0952b
