// Neg at a stride of 16 bytes.
func.func @main(%x0: tensor<3x4xf32>) -> (tensor<3xf32>) {
  %a = "dnn.neg"(%x0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %b = "dnn.select"(%a) {dim = 1 : i64, index = 3 : i64} : (tensor<3x4xf32>) -> tensor<3xf32>
  %c = "dnn.neg"(%b) : (tensor<3xf32>) -> tensor<3xf32>
  func.return %c : tensor<3xf32>
}
