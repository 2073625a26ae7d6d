// A loop's slot started in memory with a number, which is written by that number while the result is needed.
func.func @main(%x0: tensor<2x1xi64>, %x1: tensor<2x3xf32> {dnn.donated, dnn.reuse = 0 : i32}, %c0: index) -> tensor<2x3xf32> {
  %0 = arith.constant 1 : index
  %1 = arith.constant 0 : index
  %v0 = "dnn.expand"(%x0) : (tensor<2x1xi64>) -> tensor<2x2x1xi64>
  %r12, %r13 = scf.for %2 = %1 to %c0 step %0 iter_args(%r7 = %x1, %r8 = %v0) -> (tensor<2x3xf32>, tensor<2x2x1xi64>) {
    scf.yield %r7, %r8 : tensor<2x3xf32>, tensor<2x2x1xi64>
  }
  %v15 = "dnn.constant"() {value = dense<1.500000e+00> : tensor<2xf32>} : () -> tensor<2xf32>
  %v16 = "dnn.select_scatter"(%r12, %v15) {dim = 1 : i64, index = 0 : i64, dnn.reuse = array<i32: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return %r12 : tensor<2x3xf32>
}
