// Two convolutions of 5 x 5 with max pools, and three linear layers.
func.func @main(
    %x: tensor<64x1x28x28xf32> {dnn.name = "x"},
    %y: tensor<64xi64> {dnn.name = "y"},
    %conv1_weight: tensor<6x1x5x5xf32> {dnn.name = "conv1.weight", dnn.trainable},
    %conv1_bias: tensor<6xf32> {dnn.name = "conv1.bias", dnn.trainable},
    %conv2_weight: tensor<16x6x5x5xf32> {dnn.name = "conv2.weight", dnn.trainable},
    %conv2_bias: tensor<16xf32> {dnn.name = "conv2.bias", dnn.trainable},
    %fc1_weight: tensor<120x400xf32> {dnn.name = "fc1.weight", dnn.trainable},
    %fc1_bias: tensor<120xf32> {dnn.name = "fc1.bias", dnn.trainable},
    %fc2_weight: tensor<84x120xf32> {dnn.name = "fc2.weight", dnn.trainable},
    %fc2_bias: tensor<84xf32> {dnn.name = "fc2.bias", dnn.trainable},
    %fc3_weight: tensor<10x84xf32> {dnn.name = "fc3.weight", dnn.trainable},
    %fc3_bias: tensor<10xf32> {dnn.name = "fc3.bias", dnn.trainable})
  -> (
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %conv1 = "dnn.conv"(%x, %conv1_weight, %conv1_bias) {pads = array<i64: 2, 2, 2, 2>} : (tensor<64x1x28x28xf32>, tensor<6x1x5x5xf32>, tensor<6xf32>) -> tensor<64x6x28x28xf32>
  %conv1_relu = "dnn.relu"(%conv1) : (tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
  %0 = "dnn.max_pool"(%conv1_relu) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<64x6x28x28xf32>) -> tensor<64x6x14x14xf32>
  %conv2 = "dnn.conv"(%0, %conv2_weight, %conv2_bias) {pads = array<i64: 0, 0, 0, 0>} : (tensor<64x6x14x14xf32>, tensor<16x6x5x5xf32>, tensor<16xf32>) -> tensor<64x16x10x10xf32>
  %conv2_relu = "dnn.relu"(%conv2) : (tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
  %1 = "dnn.max_pool"(%conv2_relu) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<64x16x10x10xf32>) -> tensor<64x16x5x5xf32>
  %2 = "dnn.flatten"(%1) {axis = 1 : i64} : (tensor<64x16x5x5xf32>) -> tensor<64x400xf32>
  %fc1 = "dnn.gemm"(%2, %fc1_weight, %fc1_bias) {transB = 1 : i64} : (tensor<64x400xf32>, tensor<120x400xf32>, tensor<120xf32>) -> tensor<64x120xf32>
  %fc1_relu = "dnn.relu"(%fc1) : (tensor<64x120xf32>) -> tensor<64x120xf32>
  %fc2 = "dnn.gemm"(%fc1_relu, %fc2_weight, %fc2_bias) {transB = 1 : i64} : (tensor<64x120xf32>, tensor<84x120xf32>, tensor<84xf32>) -> tensor<64x84xf32>
  %fc2_relu = "dnn.relu"(%fc2) : (tensor<64x84xf32>) -> tensor<64x84xf32>
  %fc3 = "dnn.gemm"(%fc2_relu, %fc3_weight, %fc3_bias) {transB = 1 : i64} : (tensor<64x84xf32>, tensor<10x84xf32>, tensor<10xf32>) -> tensor<64x10xf32>
  %3 = "dnn.softmax_cross_entropy"(%fc3, %y) : (tensor<64x10xf32>, tensor<64xi64>) -> tensor<f32>
  func.return %3 : tensor<f32>
}
