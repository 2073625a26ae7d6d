// Scatter over an expanded base.
func.func @main(%x0: tensor<2x1xf32> {dnn.donated}) -> (tensor<2x3xf32>) {
  %a = "dnn.expand"(%x0) : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %b = "dnn.select"(%a) {dim = 0 : i64, index = 1 : i64} : (tensor<2x3xf32>) -> tensor<3xf32>
  %c = "dnn.select_scatter"(%a, %b) {index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %c : tensor<2x3xf32>
}
