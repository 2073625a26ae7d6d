// opt-tool --gru-fusion-pass --remarks
func.func @main(%x: tensor<?x2xf32>, %wx: tensor<2x9xf32>, %wh: tensor<3x9xf32>, %offsets: tensor<?xi64>) -> tensor<?x3xf32> {
  %b = "dnn.constant"() {value = dense<0.5> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %row = "dnn.constant"() {value = dense<0.25> : tensor<9xf32>} : () -> tensor<9xf32>
  %g = "dnn.matmul"(%x, %wx) : (tensor<?x2xf32>, tensor<2x9xf32>) -> tensor<?x9xf32>
  %s = "dnn.add"(%g, %row) : (tensor<?x9xf32>, tensor<9xf32>) -> tensor<?x9xf32>
  %h = "dnn.gru"(%s, %wh, %b, %offsets) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<?x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<?xi64>) -> tensor<?x3xf32>
  func.return %h : tensor<?x3xf32>
}
