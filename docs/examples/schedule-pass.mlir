// opt-tool --schedule-pass
// Two branches: the second needs more on its way. Run first, it does not have the first one's result beside it.
func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
