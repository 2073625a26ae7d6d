// opt-tool --pack-weights-pass
// The bytes of the weights stand as the kernel reads them, the sums of their columns behind them.
func.func @main(%x: tensor<2x3xui8>) -> tensor<2x4xi32> {
  %w = "dnn.constant"() {value = dense<1> : tensor<3x4xi8>} : () -> tensor<3x4xi8>
  %y = "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  func.return %y : tensor<2x4xi32>
}
