// Attention and a network of two layers, each with a residual connection and layer normalisation behind it, in the
// sizes of BERT (Devlin et al. 2019). The loss is the mean squared distance to a target.
func.func @main(
    %x: tensor<128x768xf32> {dnn.name = "x"},
    %target: tensor<128x768xf32> {dnn.name = "target"},
    %query_weight: tensor<768x768xf32> {dnn.name = "query.weight", dnn.trainable},
    %query_bias: tensor<768xf32> {dnn.name = "query.bias", dnn.trainable},
    %key_weight: tensor<768x768xf32> {dnn.name = "key.weight", dnn.trainable},
    %key_bias: tensor<768xf32> {dnn.name = "key.bias", dnn.trainable},
    %value_weight: tensor<768x768xf32> {dnn.name = "value.weight", dnn.trainable},
    %value_bias: tensor<768xf32> {dnn.name = "value.bias", dnn.trainable},
    %out_weight: tensor<768x768xf32> {dnn.name = "out.weight", dnn.trainable},
    %out_bias: tensor<768xf32> {dnn.name = "out.bias", dnn.trainable},
    %norm1_weight: tensor<768xf32> {dnn.name = "norm1.weight", dnn.trainable},
    %norm1_bias: tensor<768xf32> {dnn.name = "norm1.bias", dnn.trainable},
    %up_weight: tensor<3072x768xf32> {dnn.name = "up.weight", dnn.trainable},
    %up_bias: tensor<3072xf32> {dnn.name = "up.bias", dnn.trainable},
    %down_weight: tensor<768x3072xf32> {dnn.name = "down.weight", dnn.trainable},
    %down_bias: tensor<768xf32> {dnn.name = "down.bias", dnn.trainable},
    %norm2_weight: tensor<768xf32> {dnn.name = "norm2.weight", dnn.trainable},
    %norm2_bias: tensor<768xf32> {dnn.name = "norm2.bias", dnn.trainable})
  -> (
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %query = "dnn.gemm"(%x, %query_weight, %query_bias) {transB = 1 : i64} : (tensor<128x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %0 = "dnn.reshape"(%query) {shape = array<i64: 1, 128, 12, 64>} : (tensor<128x768xf32>) -> tensor<1x128x12x64xf32>
  %1 = "dnn.transpose"(%0) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
  %key = "dnn.gemm"(%x, %key_weight, %key_bias) {transB = 1 : i64} : (tensor<128x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %2 = "dnn.reshape"(%key) {shape = array<i64: 1, 128, 12, 64>} : (tensor<128x768xf32>) -> tensor<1x128x12x64xf32>
  %3 = "dnn.transpose"(%2) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
  %value = "dnn.gemm"(%x, %value_weight, %value_bias) {transB = 1 : i64} : (tensor<128x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %4 = "dnn.reshape"(%value) {shape = array<i64: 1, 128, 12, 64>} : (tensor<128x768xf32>) -> tensor<1x128x12x64xf32>
  %5 = "dnn.transpose"(%4) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
  %6 = "dnn.transpose"(%3) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x12x128x64xf32>) -> tensor<1x12x64x128xf32>
  %7 = "dnn.matmul"(%1, %6) : (tensor<1x12x128x64xf32>, tensor<1x12x64x128xf32>) -> tensor<1x12x128x128xf32>
  %8 = "dnn.scale"(%7) {scale = 1.250000e-01 : f64} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
  %9 = "dnn.softmax"(%8) {axis = -1 : i64} : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
  %10 = "dnn.matmul"(%9, %5) : (tensor<1x12x128x128xf32>, tensor<1x12x128x64xf32>) -> tensor<1x12x128x64xf32>
  %11 = "dnn.transpose"(%10) {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x12x128x64xf32>) -> tensor<1x128x12x64xf32>
  %12 = "dnn.reshape"(%11) {shape = array<i64: 128, 768>} : (tensor<1x128x12x64xf32>) -> tensor<128x768xf32>
  %out = "dnn.gemm"(%12, %out_weight, %out_bias) {transB = 1 : i64} : (tensor<128x768xf32>, tensor<768x768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %13 = "dnn.add"(%out, %x) : (tensor<128x768xf32>, tensor<128x768xf32>) -> tensor<128x768xf32>
  %14 = "dnn.layer_norm"(%13, %norm1_weight, %norm1_bias) : (tensor<128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %up = "dnn.gemm"(%14, %up_weight, %up_bias) {transB = 1 : i64} : (tensor<128x768xf32>, tensor<3072x768xf32>, tensor<3072xf32>) -> tensor<128x3072xf32>
  %15 = "dnn.gelu"(%up) {approximate = "none"} : (tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %down = "dnn.gemm"(%15, %down_weight, %down_bias) {transB = 1 : i64} : (tensor<128x3072xf32>, tensor<768x3072xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %16 = "dnn.add"(%down, %14) : (tensor<128x768xf32>, tensor<128x768xf32>) -> tensor<128x768xf32>
  %17 = "dnn.layer_norm"(%16, %norm2_weight, %norm2_bias) : (tensor<128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  %18 = "dnn.mse"(%17, %target) : (tensor<128x768xf32>, tensor<128x768xf32>) -> tensor<f32>
  func.return %18 : tensor<f32>
}
