// A part of a concat that is a strided part itself.
func.func @main(%x0: tensor<3x3xf64>) -> (tensor<6x6xf64>) {
  %a = "dnn.softmax"(%x0) {axis = 1 : i64} : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %b = "dnn.concat"(%a, %x0) {axis = 0 : i64} : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<6x3xf64>
  %c = "dnn.concat"(%b, %b) {axis = 1 : i64} : (tensor<6x3xf64>, tensor<6x3xf64>) -> tensor<6x6xf64>
  func.return %c : tensor<6x6xf64>
}
