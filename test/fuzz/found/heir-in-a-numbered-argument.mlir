// sigmoid goes over a numbered argument; what lies over sigmoid's result outlives the next of that number
builtin.module {
  func.func @main() -> tensor<4xf32> {
    %r2, %r3 = func.call @f1() : () -> (tensor<4xf32>, tensor<4xf32>)
    func.return %r3 : tensor<4xf32>
  }
  func.func @f0(%x0: tensor<2x3xf64> {dnn.donated, dnn.reuse = 0 : i32}) -> (tensor<2x3xf64>, tensor<2x3xf64>) {
    %v0 = "dnn.sigmoid"(%x0) : (tensor<2x3xf64>) -> tensor<2x3xf64>
    %v1 = "dnn.exp"(%v0) {dnn.inplace = array<i32: 0>} : (tensor<2x3xf64>) -> tensor<2x3xf64>
    %v2 = "dnn.constant"() {value = dense<[[-5.000000e-01], [5.000000e-01], [-1.500000e+00], [-2.500000e+00]]> : tensor<4x1xf64>} : () -> tensor<4x1xf64>
    %v3 = "dnn.constant"() {value = dense<2.500000e+00> : tensor<1x1xf64>} : () -> tensor<1x1xf64>
    %v4 = "dnn.gemm"(%v2, %v3) {transA = 0 : i64, transB = 1 : i64, dnn.reuse = array<i32: 0>} : (tensor<4x1xf64>, tensor<1x1xf64>) -> tensor<4x1xf64>
    func.return %v1, %v1 : tensor<2x3xf64>, tensor<2x3xf64>
  }
  func.func @f1() -> (tensor<4xf32>, tensor<4xf32>) {
    %v0 = "dnn.constant"() {value = dense<[-2.500000e+00, 3.500000e+00, -5.000000e-01, -2.500000e+00]> : tensor<4xf32>} : () -> tensor<4xf32>
    func.return %v0, %v0 : tensor<4xf32>, tensor<4xf32>
  }
}
