// opt-tool --refine-pass
func.func @main(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %shape = "dnn.constant"() {value = dense<[4, -1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}
