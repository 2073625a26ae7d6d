builtin.module {
  func.func @main(%x0: tensor<2x3x2xi32>, %x1: tensor<4xf64>, %x2: tensor<3x4xf32> {dnn.donated}, %x3: tensor<2xf32>) -> (tensor<3x4xi32>, tensor<4xf64>) {
    %v0 = "dnn.add"(%x0, %x0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
    %v1 = "dnn.equal"(%v0, %x0) : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi1>
    %v2 = "dnn.reduce_mean"(%x1) {axes = array<i64: 0>, keepdims = false} : (tensor<4xf64>) -> tensor<f64>
    %v3 = "dnn.concat"(%x2) {axis = 0 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %v4 = "dnn.relu_grad"(%v2, %v2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %v5 = "dnn.concat"(%x2, %x2, %v3) {axis = 0 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
    %v6 = "dnn.concat"(%x2, %v3) {axis = 1 : i64} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
    %v7 = "dnn.as_strided_scatter"(%v5, %x3) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 32 : i64} : (tensor<9x4xf32>, tensor<2xf32>) -> tensor<9x4xf32>
    %v8 = "dnn.add"(%v6, %v6) : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
    %v9 = "dnn.constant"() {value = dense<[[2, 2, -2, -2], [-2, 0, -3, -2], [3, -2, 3, -1]]> : tensor<3x4xi32>} : () -> tensor<3x4xi32>
    func.return %v9, %x1 : tensor<3x4xi32>, tensor<4xf64>
  }
}
// optimal: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=0; 7 parts=2; 9 inplace=0; 10 inplace=0; 67ee802404f4
// paddle: 2 refused=[engine]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[engine]; d6c369ba338a
// nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 31ced6e740e6
// reinplace: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[repeated-operand]; 9 inplace=0; 10 refused=[repeated-operand]; 776978c8ead4
// transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 31ced6e740e6
// pool, optimal: 2 refused=[program-input]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=0; 7 parts=2; 9 inplace=0; 10 inplace=0; 67ee802404f4
// pool, transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 refused=[not-listed]; 9 refused=[not-listed]; 10 refused=[not-listed]; 31ced6e740e6
// random, nntrainer: 2 refused=[not-listed] inplace_mode=none; 3 refused=[kernel] inplace_mode=none; 4 refused=[kernel] inplace_mode=none; 5 inplace_mode=none; 6 inplace=1 inplace_mode=none; 7 inplace_mode=none; 8 inplace_mode=none; 9 refused=[not-listed] inplace_mode=none; 10 inplace=1 inplace_mode=none; ef4d22c4ee17
// random, transpiler: 2 refused=[not-listed]; 3 refused=[kernel]; 4 refused=[kernel]; 6 inplace=1; 9 refused=[not-listed]; 10 inplace=1; ef4d22c4ee17
