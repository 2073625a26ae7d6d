builtin.module {
  func.func @main(%x0: tensor<4x1xf64>, %x1: tensor<1x6xf64>, %x2: tensor<2x6xf64>, %c0: index) -> (tensor<1x6xf64>, tensor<1x6xf64>) {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %v0 = "dnn.constant"() {value = dense<-5.000000e-01> : tensor<1xf64>} : () -> tensor<1xf64>
    %v1, %v2, %v3 = "dnn.layer_norm"(%x0, %v0) {axis = -1 : i64} : (tensor<4x1xf64>, tensor<1xf64>) -> (tensor<4x1xf64>, tensor<4x1xf64>, tensor<4x1xf64>)
    %v4 = "dnn.expand"(%v1) : (tensor<4x1xf64>) -> tensor<4x3xf64>
    %r8 = scf.for %2 = %1 to %c0 step %0 iter_args(%r5 = %v1) -> (tensor<4x1xf64>) {
      %v6 = "dnn.zeros"() : () -> tensor<4x3xf64>
      %v7 = "dnn.abs"(%r5) : (tensor<4x1xf64>) -> tensor<4x1xf64>
      scf.yield %v7 : tensor<4x1xf64>
    }
    %v9 = "dnn.diagonal"(%r8) {offset = 0 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<4x1xf64>) -> tensor<1xf64>
    %v10 = "dnn.relu"(%v9) : (tensor<1xf64>) -> tensor<1xf64>
    %v11 = "dnn.constant"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
    %v12 = "dnn.gru"(%x1, %x2, %x1, %v11) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<1x6xf64>, tensor<2x6xf64>, tensor<1x6xf64>, tensor<2xi64>) -> tensor<1x2xf64>
    func.return %x1, %x1 : tensor<1x6xf64>, tensor<1x6xf64>
  }
}
// optimal: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; fc32390a8193
// paddle: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 refused=[engine]; 12 refused=[engine]; 14 refused=[kernel]; 2aded79e085b
// nntrainer: 5 refused=[not-listed kernel kernel] inplace_mode=none; 6 inplace_mode=none; 7 inplace=3 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=restricting; 14 refused=[kernel] inplace_mode=none; 8157714bd960
// reinplace: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; fc32390a8193
// transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; 77bd7772d1c3
// pool, optimal: 5 refused=[program-input kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; fc32390a8193
// pool, transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; 77bd7772d1c3
// random, nntrainer: 5 refused=[not-listed kernel kernel] inplace_mode=none; 6 inplace_mode=none; 7 inplace=3 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 11 inplace_mode=none; 12 inplace=0 inplace_mode=restricting; 14 refused=[kernel] inplace_mode=none; 8157714bd960
// random, transpiler: 5 refused=[not-listed kernel kernel]; 7 inplace=3; 9 inplace=0; 12 inplace=0; 14 refused=[kernel]; 77bd7772d1c3
