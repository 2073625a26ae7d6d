// Two results of a branch came to one storage, which an earlier number gave to what both arms yield.
func.func @main(%x0: tensor<2x2xf32>, %x1: tensor<2x3xf32>, %c0: i1) -> (tensor<2x3xf32>) {
  %v0 = "dnn.select"(%x0) {dim = 0 : i64, index = -1 : i64} : (tensor<2x2xf32>) -> tensor<2xf32>
  %v1 = "dnn.sqrt"(%v0) {dnn.reuse = array<i32: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  %r6, %r7 = scf.if %c0 -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %v1, %v1 : tensor<2xf32>, tensor<2xf32>
  } else {
    %v5 = "dnn.constant"() {value = dense<[5.000000e-01, 3.500000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
    scf.yield %v5, %v1 : tensor<2xf32>, tensor<2xf32>
  }{dnn.reuse = array<i32: 0, -1>}
  func.return %x1 : tensor<2x3xf32>
}
