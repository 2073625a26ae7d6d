// opt-tool --plan-pass
func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
