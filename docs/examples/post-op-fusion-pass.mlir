// opt-tool --post-op-fusion-pass
// The factors go into the weights; the residual and relu become post-ops. The result may lie over %r.
func.func @main(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<4x4x1x1xf32>} : () -> tensor<4x4x1x1xf32>
  %b = "dnn.constant"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %r = "dnn.tanh"(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32>
  %m = "dnn.mul"(%y, %b) : (tensor<1x8x8x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %s = "dnn.add"(%r, %m) : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %c = "dnn.relu"(%s) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  func.return %c : tensor<1x8x8x4xf32>
}
