builtin.module {
  func.func @main() -> tensor<2xf32> {
    %v0 = "dnn.constant"() {value = dense<[[3.500000e+00], [-2.500000e+00], [1.500000e+00], [-5.000000e-01]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
    %v1 = "dnn.as_strided"(%v0) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 0 : i64} : (tensor<4x1xf32>) -> tensor<2xf32>
    %v2 = "dnn.relu"(%v1) {dnn.engine = "cpu"} : (tensor<2xf32>) -> tensor<2xf32>
    %v3 = "dnn.as_strided"(%v0) {size = array<i64: 2>, stride = array<i64: 2>, storage_offset = 1 : i64} : (tensor<4x1xf32>) -> tensor<2xf32>
    %r4 = func.call @f0(%v2) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %r4 : tensor<2xf32>
  }
  func.func private @f0(tensor<2xf32>) -> tensor<2xf32>
}
// optimal: 4 refused=[constant]; 454d043e7cdd
// paddle: 4 refused=[engine]; 815f8a7153b2
// nntrainer: 3 inplace_mode=none; 4 refused=[restricting-input] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 35e83bbce71d
// reinplace: 4 refused=[constant]; a62a04b82124
// transpiler: 4 refused=[constant]; 454d043e7cdd
// pool, optimal: 4 refused=[constant]; 454d043e7cdd
// pool, transpiler: 4 refused=[constant]; 454d043e7cdd
// random, nntrainer: 3 inplace_mode=none; 4 refused=[restricting-input] inplace_mode=none; 5 inplace_mode=none; 6 inplace_mode=none; 35e83bbce71d
// random, transpiler: 4 refused=[constant]; 454d043e7cdd
