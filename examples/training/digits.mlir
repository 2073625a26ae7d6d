// A network for pictures of digits, 8 x 8 pixels, and its loss. What is trained are arguments.
func.func @main(
    %x: tensor<?x1x8x8xf32> {dnn.name = "x", dnn.sizes = ["batch", "", "", ""]},
    %labels: tensor<?xi64> {dnn.name = "y", dnn.sizes = ["batch"]},
    %filters1: tensor<8x1x3x3xf32> {dnn.name = "conv1.weight", dnn.trainable},
    %bias1: tensor<8xf32> {dnn.name = "conv1.bias", dnn.trainable},
    %filters2: tensor<16x8x3x3xf32> {dnn.name = "conv2.weight", dnn.trainable},
    %bias2: tensor<16xf32> {dnn.name = "conv2.bias", dnn.trainable},
    %weights: tensor<10x64xf32> {dnn.name = "fc.weight", dnn.trainable},
    %bias: tensor<10xf32> {dnn.name = "fc.bias", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %c1 = "dnn.conv"(%x, %filters1, %bias1) {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x1x8x8xf32>, tensor<8x1x3x3xf32>, tensor<8xf32>) -> tensor<?x8x8x8xf32>
  %r1 = "dnn.relu"(%c1) : (tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  %p1 = "dnn.max_pool"(%r1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x8x8x8xf32>) -> tensor<?x8x4x4xf32>
  %c2 = "dnn.conv"(%p1, %filters2, %bias2) {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x8x4x4xf32>, tensor<16x8x3x3xf32>, tensor<16xf32>) -> tensor<?x16x4x4xf32>
  %r2 = "dnn.relu"(%c2) : (tensor<?x16x4x4xf32>) -> tensor<?x16x4x4xf32>
  %p2 = "dnn.max_pool"(%r2) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x16x4x4xf32>) -> tensor<?x16x2x2xf32>
  %rows = "dnn.flatten"(%p2) {axis = 1 : i64} : (tensor<?x16x2x2xf32>) -> tensor<?x64xf32>
  %logits = "dnn.gemm"(%rows, %weights, %bias) {transB = 1 : i64} : (tensor<?x64xf32>, tensor<10x64xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %loss = "dnn.softmax_cross_entropy"(%logits, %labels) : (tensor<?x10xf32>, tensor<?xi64>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
