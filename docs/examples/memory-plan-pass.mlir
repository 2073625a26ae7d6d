// opt-tool --memory-plan-pass
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %a = "dnn.opaque"(%x, %w) {kind = "conv"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %b = "dnn.opaque"(%a, %w) {kind = "conv"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %c = "dnn.opaque"(%b, %w) {kind = "conv"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %d = "dnn.opaque"(%c, %w) {kind = "conv"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  func.return %d : tensor<4x8xf32>
}
