builtin.module {
  func.func @main(%x0: tensor<i64> {dnn.donated}, %x1: tensor<2x2xf32>, %x2: tensor<1x3xf32> {dnn.donated}, %x3: tensor<2xf32> {dnn.donated}) -> (tensor<2xf32>, tensor<1x3xf32>) {
    %v0 = "dnn.flatten"(%x0) {axis = 0 : i64} : (tensor<i64>) -> tensor<1x1xi64>
    %v1 = "dnn.constant"() {value = dense<[[2.500000e+00, 5.000000e-01, 2.500000e+00], [1.500000e+00, 3.500000e+00, 2.500000e+00]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %r2, %r3 = func.call @f0(%x1, %v1) : (tensor<2x2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    %r4, %r5 = func.call @f0(%x1, %r3) : (tensor<2x2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    %v6 = "dnn.slice_scatter"(%r5, %x2) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %v7 = "dnn.diagonal_scatter"(%v6, %x3) {offset = 1 : i64, dim1 = 0 : i64, dim2 = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    func.return %x3, %x2 : tensor<2xf32>, tensor<1x3xf32>
  }
  func.func @f0(%x0: tensor<2x2xf32> {dnn.donated}, %x1: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32> {dnn.tied = 1 : i32}) {
    %v0 = "dnn.maximum"(%x0, %x0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %v1 = "dnn.reduce_mean"(%x1) {axes = array<i64: 1>, keepdims = true, dnn.engine = "cpu"} : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %v2 = "dnn.equal"(%x1, %x1) {dnn.engine = "cpu"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    func.return %x1, %x1 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
// optimal: 6 refused=[operands-alias]; 7 inplace=0; 10 inplace=0; 11 refused=[kernel]; 12 refused=[kernel]; 4df9442f0973
// paddle: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]; 46b03711b180
// nntrainer: 2 inplace_mode=non_restricting; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 46b03711b180
// reinplace: 6 refused=[operands-alias]; 7 refused=[operands-alias]; 10 refused=[program-input]; 11 refused=[kernel]; 12 refused=[kernel]; 98d832992a8b
// transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]; 46b03711b180
// pool, optimal: 6 refused=[operands-alias]; 7 inplace=0; 10 inplace=0; 11 refused=[kernel]; 12 refused=[kernel]; 4df9442f0973
// pool, transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]; 46b03711b180
// random, nntrainer: 2 inplace_mode=non_restricting; 4 inplace_mode=none; 5 inplace_mode=none; 6 refused=[not-listed] inplace_mode=none; 7 refused=[not-listed] inplace_mode=none; 10 refused=[not-listed] inplace_mode=none; 11 refused=[kernel] inplace_mode=none; 12 refused=[kernel] inplace_mode=none; 46b03711b180
// random, transpiler: 6 refused=[not-listed]; 7 refused=[not-listed]; 10 refused=[not-listed]; 11 refused=[kernel]; 12 refused=[kernel]; 46b03711b180
