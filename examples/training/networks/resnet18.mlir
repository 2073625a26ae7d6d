// Four stages of two blocks; `width` channels in the first, twice as many in each that follows.
func.func @main(
    %x: tensor<8x3x32x32xf32> {dnn.name = "x"},
    %y: tensor<8xi64> {dnn.name = "y"},
    %stem_weight: tensor<64x3x3x3xf32> {dnn.name = "stem.weight", dnn.trainable},
    %stem_norm_weight: tensor<64xf32> {dnn.name = "stem.norm.weight", dnn.trainable},
    %stem_norm_bias: tensor<64xf32> {dnn.name = "stem.norm.bias", dnn.trainable},
    %stem_norm_mean: tensor<64xf32> {dnn.name = "stem.norm.mean", dnn.donated},
    %stem_norm_variance: tensor<64xf32> {dnn.name = "stem.norm.variance", dnn.donated},
    %stage1_1_conv1_weight: tensor<64x64x3x3xf32> {dnn.name = "stage1.1.conv1.weight", dnn.trainable},
    %stage1_1_conv1_norm_weight: tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.weight", dnn.trainable},
    %stage1_1_conv1_norm_bias: tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.bias", dnn.trainable},
    %stage1_1_conv1_norm_mean: tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.mean", dnn.donated},
    %stage1_1_conv1_norm_variance: tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.variance", dnn.donated},
    %stage1_1_conv2_weight: tensor<64x64x3x3xf32> {dnn.name = "stage1.1.conv2.weight", dnn.trainable},
    %stage1_1_conv2_norm_weight: tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.weight", dnn.trainable},
    %stage1_1_conv2_norm_bias: tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.bias", dnn.trainable},
    %stage1_1_conv2_norm_mean: tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.mean", dnn.donated},
    %stage1_1_conv2_norm_variance: tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.variance", dnn.donated},
    %stage1_2_conv1_weight: tensor<64x64x3x3xf32> {dnn.name = "stage1.2.conv1.weight", dnn.trainable},
    %stage1_2_conv1_norm_weight: tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.weight", dnn.trainable},
    %stage1_2_conv1_norm_bias: tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.bias", dnn.trainable},
    %stage1_2_conv1_norm_mean: tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.mean", dnn.donated},
    %stage1_2_conv1_norm_variance: tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.variance", dnn.donated},
    %stage1_2_conv2_weight: tensor<64x64x3x3xf32> {dnn.name = "stage1.2.conv2.weight", dnn.trainable},
    %stage1_2_conv2_norm_weight: tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.weight", dnn.trainable},
    %stage1_2_conv2_norm_bias: tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.bias", dnn.trainable},
    %stage1_2_conv2_norm_mean: tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.mean", dnn.donated},
    %stage1_2_conv2_norm_variance: tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.variance", dnn.donated},
    %stage2_1_conv1_weight: tensor<128x64x3x3xf32> {dnn.name = "stage2.1.conv1.weight", dnn.trainable},
    %stage2_1_conv1_norm_weight: tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.weight", dnn.trainable},
    %stage2_1_conv1_norm_bias: tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.bias", dnn.trainable},
    %stage2_1_conv1_norm_mean: tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.mean", dnn.donated},
    %stage2_1_conv1_norm_variance: tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.variance", dnn.donated},
    %stage2_1_conv2_weight: tensor<128x128x3x3xf32> {dnn.name = "stage2.1.conv2.weight", dnn.trainable},
    %stage2_1_conv2_norm_weight: tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.weight", dnn.trainable},
    %stage2_1_conv2_norm_bias: tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.bias", dnn.trainable},
    %stage2_1_conv2_norm_mean: tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.mean", dnn.donated},
    %stage2_1_conv2_norm_variance: tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.variance", dnn.donated},
    %stage2_1_shortcut_weight: tensor<128x64x1x1xf32> {dnn.name = "stage2.1.shortcut.weight", dnn.trainable},
    %stage2_1_shortcut_norm_weight: tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.weight", dnn.trainable},
    %stage2_1_shortcut_norm_bias: tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.bias", dnn.trainable},
    %stage2_1_shortcut_norm_mean: tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.mean", dnn.donated},
    %stage2_1_shortcut_norm_variance: tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.variance", dnn.donated},
    %stage2_2_conv1_weight: tensor<128x128x3x3xf32> {dnn.name = "stage2.2.conv1.weight", dnn.trainable},
    %stage2_2_conv1_norm_weight: tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.weight", dnn.trainable},
    %stage2_2_conv1_norm_bias: tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.bias", dnn.trainable},
    %stage2_2_conv1_norm_mean: tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.mean", dnn.donated},
    %stage2_2_conv1_norm_variance: tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.variance", dnn.donated},
    %stage2_2_conv2_weight: tensor<128x128x3x3xf32> {dnn.name = "stage2.2.conv2.weight", dnn.trainable},
    %stage2_2_conv2_norm_weight: tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.weight", dnn.trainable},
    %stage2_2_conv2_norm_bias: tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.bias", dnn.trainable},
    %stage2_2_conv2_norm_mean: tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.mean", dnn.donated},
    %stage2_2_conv2_norm_variance: tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.variance", dnn.donated},
    %stage3_1_conv1_weight: tensor<256x128x3x3xf32> {dnn.name = "stage3.1.conv1.weight", dnn.trainable},
    %stage3_1_conv1_norm_weight: tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.weight", dnn.trainable},
    %stage3_1_conv1_norm_bias: tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.bias", dnn.trainable},
    %stage3_1_conv1_norm_mean: tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.mean", dnn.donated},
    %stage3_1_conv1_norm_variance: tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.variance", dnn.donated},
    %stage3_1_conv2_weight: tensor<256x256x3x3xf32> {dnn.name = "stage3.1.conv2.weight", dnn.trainable},
    %stage3_1_conv2_norm_weight: tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.weight", dnn.trainable},
    %stage3_1_conv2_norm_bias: tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.bias", dnn.trainable},
    %stage3_1_conv2_norm_mean: tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.mean", dnn.donated},
    %stage3_1_conv2_norm_variance: tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.variance", dnn.donated},
    %stage3_1_shortcut_weight: tensor<256x128x1x1xf32> {dnn.name = "stage3.1.shortcut.weight", dnn.trainable},
    %stage3_1_shortcut_norm_weight: tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.weight", dnn.trainable},
    %stage3_1_shortcut_norm_bias: tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.bias", dnn.trainable},
    %stage3_1_shortcut_norm_mean: tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.mean", dnn.donated},
    %stage3_1_shortcut_norm_variance: tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.variance", dnn.donated},
    %stage3_2_conv1_weight: tensor<256x256x3x3xf32> {dnn.name = "stage3.2.conv1.weight", dnn.trainable},
    %stage3_2_conv1_norm_weight: tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.weight", dnn.trainable},
    %stage3_2_conv1_norm_bias: tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.bias", dnn.trainable},
    %stage3_2_conv1_norm_mean: tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.mean", dnn.donated},
    %stage3_2_conv1_norm_variance: tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.variance", dnn.donated},
    %stage3_2_conv2_weight: tensor<256x256x3x3xf32> {dnn.name = "stage3.2.conv2.weight", dnn.trainable},
    %stage3_2_conv2_norm_weight: tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.weight", dnn.trainable},
    %stage3_2_conv2_norm_bias: tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.bias", dnn.trainable},
    %stage3_2_conv2_norm_mean: tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.mean", dnn.donated},
    %stage3_2_conv2_norm_variance: tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.variance", dnn.donated},
    %stage4_1_conv1_weight: tensor<512x256x3x3xf32> {dnn.name = "stage4.1.conv1.weight", dnn.trainable},
    %stage4_1_conv1_norm_weight: tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.weight", dnn.trainable},
    %stage4_1_conv1_norm_bias: tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.bias", dnn.trainable},
    %stage4_1_conv1_norm_mean: tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.mean", dnn.donated},
    %stage4_1_conv1_norm_variance: tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.variance", dnn.donated},
    %stage4_1_conv2_weight: tensor<512x512x3x3xf32> {dnn.name = "stage4.1.conv2.weight", dnn.trainable},
    %stage4_1_conv2_norm_weight: tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.weight", dnn.trainable},
    %stage4_1_conv2_norm_bias: tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.bias", dnn.trainable},
    %stage4_1_conv2_norm_mean: tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.mean", dnn.donated},
    %stage4_1_conv2_norm_variance: tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.variance", dnn.donated},
    %stage4_1_shortcut_weight: tensor<512x256x1x1xf32> {dnn.name = "stage4.1.shortcut.weight", dnn.trainable},
    %stage4_1_shortcut_norm_weight: tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.weight", dnn.trainable},
    %stage4_1_shortcut_norm_bias: tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.bias", dnn.trainable},
    %stage4_1_shortcut_norm_mean: tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.mean", dnn.donated},
    %stage4_1_shortcut_norm_variance: tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.variance", dnn.donated},
    %stage4_2_conv1_weight: tensor<512x512x3x3xf32> {dnn.name = "stage4.2.conv1.weight", dnn.trainable},
    %stage4_2_conv1_norm_weight: tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.weight", dnn.trainable},
    %stage4_2_conv1_norm_bias: tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.bias", dnn.trainable},
    %stage4_2_conv1_norm_mean: tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.mean", dnn.donated},
    %stage4_2_conv1_norm_variance: tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.variance", dnn.donated},
    %stage4_2_conv2_weight: tensor<512x512x3x3xf32> {dnn.name = "stage4.2.conv2.weight", dnn.trainable},
    %stage4_2_conv2_norm_weight: tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.weight", dnn.trainable},
    %stage4_2_conv2_norm_bias: tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.bias", dnn.trainable},
    %stage4_2_conv2_norm_mean: tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.mean", dnn.donated},
    %stage4_2_conv2_norm_variance: tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.variance", dnn.donated},
    %fc_weight: tensor<10x512xf32> {dnn.name = "fc.weight", dnn.trainable},
    %fc_bias: tensor<10xf32> {dnn.name = "fc.bias", dnn.trainable})
  -> (
    tensor<64xf32> {dnn.name = "stem.norm.mean", dnn.tied = 5 : i32},
    tensor<64xf32> {dnn.name = "stem.norm.variance", dnn.tied = 6 : i32},
    tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.mean", dnn.tied = 10 : i32},
    tensor<64xf32> {dnn.name = "stage1.1.conv1.norm.variance", dnn.tied = 11 : i32},
    tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.mean", dnn.tied = 15 : i32},
    tensor<64xf32> {dnn.name = "stage1.1.conv2.norm.variance", dnn.tied = 16 : i32},
    tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.mean", dnn.tied = 20 : i32},
    tensor<64xf32> {dnn.name = "stage1.2.conv1.norm.variance", dnn.tied = 21 : i32},
    tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.mean", dnn.tied = 25 : i32},
    tensor<64xf32> {dnn.name = "stage1.2.conv2.norm.variance", dnn.tied = 26 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.mean", dnn.tied = 30 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.conv1.norm.variance", dnn.tied = 31 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.mean", dnn.tied = 35 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.conv2.norm.variance", dnn.tied = 36 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.mean", dnn.tied = 40 : i32},
    tensor<128xf32> {dnn.name = "stage2.1.shortcut.norm.variance", dnn.tied = 41 : i32},
    tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.mean", dnn.tied = 45 : i32},
    tensor<128xf32> {dnn.name = "stage2.2.conv1.norm.variance", dnn.tied = 46 : i32},
    tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.mean", dnn.tied = 50 : i32},
    tensor<128xf32> {dnn.name = "stage2.2.conv2.norm.variance", dnn.tied = 51 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.mean", dnn.tied = 55 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.conv1.norm.variance", dnn.tied = 56 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.mean", dnn.tied = 60 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.conv2.norm.variance", dnn.tied = 61 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.mean", dnn.tied = 65 : i32},
    tensor<256xf32> {dnn.name = "stage3.1.shortcut.norm.variance", dnn.tied = 66 : i32},
    tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.mean", dnn.tied = 70 : i32},
    tensor<256xf32> {dnn.name = "stage3.2.conv1.norm.variance", dnn.tied = 71 : i32},
    tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.mean", dnn.tied = 75 : i32},
    tensor<256xf32> {dnn.name = "stage3.2.conv2.norm.variance", dnn.tied = 76 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.mean", dnn.tied = 80 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.conv1.norm.variance", dnn.tied = 81 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.mean", dnn.tied = 85 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.conv2.norm.variance", dnn.tied = 86 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.mean", dnn.tied = 90 : i32},
    tensor<512xf32> {dnn.name = "stage4.1.shortcut.norm.variance", dnn.tied = 91 : i32},
    tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.mean", dnn.tied = 95 : i32},
    tensor<512xf32> {dnn.name = "stage4.2.conv1.norm.variance", dnn.tied = 96 : i32},
    tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.mean", dnn.tied = 100 : i32},
    tensor<512xf32> {dnn.name = "stage4.2.conv2.norm.variance", dnn.tied = 101 : i32},
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %stem = "dnn.conv"(%x, %stem_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x3x32x32xf32>, tensor<64x3x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stem_norm, %0, %1 = "dnn.batch_norm"(%stem, %stem_norm_weight, %stem_norm_bias, %stem_norm_mean, %stem_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %stem_relu = "dnn.relu"(%stem_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv1 = "dnn.conv"(%stem_relu, %stage1_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv1_norm, %2, %3 = "dnn.batch_norm"(%stage1_1_conv1, %stage1_1_conv1_norm_weight, %stage1_1_conv1_norm_bias, %stage1_1_conv1_norm_mean, %stage1_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %stage1_1_conv1_relu = "dnn.relu"(%stage1_1_conv1_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv2 = "dnn.conv"(%stage1_1_conv1_relu, %stage1_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv2_norm, %4, %5 = "dnn.batch_norm"(%stage1_1_conv2, %stage1_1_conv2_norm_weight, %stage1_1_conv2_norm_bias, %stage1_1_conv2_norm_mean, %stage1_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %6 = "dnn.add"(%stage1_1_conv2_norm, %stem_relu) : (tensor<8x64x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_relu = "dnn.relu"(%6) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv1 = "dnn.conv"(%stage1_1_relu, %stage1_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv1_norm, %7, %8 = "dnn.batch_norm"(%stage1_2_conv1, %stage1_2_conv1_norm_weight, %stage1_2_conv1_norm_bias, %stage1_2_conv1_norm_mean, %stage1_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %stage1_2_conv1_relu = "dnn.relu"(%stage1_2_conv1_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv2 = "dnn.conv"(%stage1_2_conv1_relu, %stage1_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv2_norm, %9, %10 = "dnn.batch_norm"(%stage1_2_conv2, %stage1_2_conv2_norm_weight, %stage1_2_conv2_norm_bias, %stage1_2_conv2_norm_mean, %stage1_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %11 = "dnn.add"(%stage1_2_conv2_norm, %stage1_1_relu) : (tensor<8x64x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_relu = "dnn.relu"(%11) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage2_1_conv1 = "dnn.conv"(%stage1_2_relu, %stage2_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x64x32x32xf32>, tensor<128x64x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv1_norm, %12, %13 = "dnn.batch_norm"(%stage2_1_conv1, %stage2_1_conv1_norm_weight, %stage2_1_conv1_norm_bias, %stage2_1_conv1_norm_mean, %stage2_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %stage2_1_conv1_relu = "dnn.relu"(%stage2_1_conv1_norm) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv2 = "dnn.conv"(%stage2_1_conv1_relu, %stage2_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv2_norm, %14, %15 = "dnn.batch_norm"(%stage2_1_conv2, %stage2_1_conv2_norm_weight, %stage2_1_conv2_norm_bias, %stage2_1_conv2_norm_mean, %stage2_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %stage2_1_shortcut = "dnn.conv"(%stage1_2_relu, %stage2_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x64x32x32xf32>, tensor<128x64x1x1xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_shortcut_norm, %16, %17 = "dnn.batch_norm"(%stage2_1_shortcut, %stage2_1_shortcut_norm_weight, %stage2_1_shortcut_norm_bias, %stage2_1_shortcut_norm_mean, %stage2_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %18 = "dnn.add"(%stage2_1_conv2_norm, %stage2_1_shortcut_norm) : (tensor<8x128x16x16xf32>, tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_relu = "dnn.relu"(%18) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv1 = "dnn.conv"(%stage2_1_relu, %stage2_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv1_norm, %19, %20 = "dnn.batch_norm"(%stage2_2_conv1, %stage2_2_conv1_norm_weight, %stage2_2_conv1_norm_bias, %stage2_2_conv1_norm_mean, %stage2_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %stage2_2_conv1_relu = "dnn.relu"(%stage2_2_conv1_norm) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv2 = "dnn.conv"(%stage2_2_conv1_relu, %stage2_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv2_norm, %21, %22 = "dnn.batch_norm"(%stage2_2_conv2, %stage2_2_conv2_norm_weight, %stage2_2_conv2_norm_bias, %stage2_2_conv2_norm_mean, %stage2_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %23 = "dnn.add"(%stage2_2_conv2_norm, %stage2_1_relu) : (tensor<8x128x16x16xf32>, tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_relu = "dnn.relu"(%23) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage3_1_conv1 = "dnn.conv"(%stage2_2_relu, %stage3_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x128x16x16xf32>, tensor<256x128x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv1_norm, %24, %25 = "dnn.batch_norm"(%stage3_1_conv1, %stage3_1_conv1_norm_weight, %stage3_1_conv1_norm_bias, %stage3_1_conv1_norm_mean, %stage3_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %stage3_1_conv1_relu = "dnn.relu"(%stage3_1_conv1_norm) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv2 = "dnn.conv"(%stage3_1_conv1_relu, %stage3_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv2_norm, %26, %27 = "dnn.batch_norm"(%stage3_1_conv2, %stage3_1_conv2_norm_weight, %stage3_1_conv2_norm_bias, %stage3_1_conv2_norm_mean, %stage3_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %stage3_1_shortcut = "dnn.conv"(%stage2_2_relu, %stage3_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x128x16x16xf32>, tensor<256x128x1x1xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_shortcut_norm, %28, %29 = "dnn.batch_norm"(%stage3_1_shortcut, %stage3_1_shortcut_norm_weight, %stage3_1_shortcut_norm_bias, %stage3_1_shortcut_norm_mean, %stage3_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %30 = "dnn.add"(%stage3_1_conv2_norm, %stage3_1_shortcut_norm) : (tensor<8x256x8x8xf32>, tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_relu = "dnn.relu"(%30) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv1 = "dnn.conv"(%stage3_1_relu, %stage3_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv1_norm, %31, %32 = "dnn.batch_norm"(%stage3_2_conv1, %stage3_2_conv1_norm_weight, %stage3_2_conv1_norm_bias, %stage3_2_conv1_norm_mean, %stage3_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %stage3_2_conv1_relu = "dnn.relu"(%stage3_2_conv1_norm) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv2 = "dnn.conv"(%stage3_2_conv1_relu, %stage3_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv2_norm, %33, %34 = "dnn.batch_norm"(%stage3_2_conv2, %stage3_2_conv2_norm_weight, %stage3_2_conv2_norm_bias, %stage3_2_conv2_norm_mean, %stage3_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %35 = "dnn.add"(%stage3_2_conv2_norm, %stage3_1_relu) : (tensor<8x256x8x8xf32>, tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_relu = "dnn.relu"(%35) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage4_1_conv1 = "dnn.conv"(%stage3_2_relu, %stage4_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x256x8x8xf32>, tensor<512x256x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv1_norm, %36, %37 = "dnn.batch_norm"(%stage4_1_conv1, %stage4_1_conv1_norm_weight, %stage4_1_conv1_norm_bias, %stage4_1_conv1_norm_mean, %stage4_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %stage4_1_conv1_relu = "dnn.relu"(%stage4_1_conv1_norm) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv2 = "dnn.conv"(%stage4_1_conv1_relu, %stage4_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv2_norm, %38, %39 = "dnn.batch_norm"(%stage4_1_conv2, %stage4_1_conv2_norm_weight, %stage4_1_conv2_norm_bias, %stage4_1_conv2_norm_mean, %stage4_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %stage4_1_shortcut = "dnn.conv"(%stage3_2_relu, %stage4_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x256x8x8xf32>, tensor<512x256x1x1xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_shortcut_norm, %40, %41 = "dnn.batch_norm"(%stage4_1_shortcut, %stage4_1_shortcut_norm_weight, %stage4_1_shortcut_norm_bias, %stage4_1_shortcut_norm_mean, %stage4_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %42 = "dnn.add"(%stage4_1_conv2_norm, %stage4_1_shortcut_norm) : (tensor<8x512x4x4xf32>, tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_relu = "dnn.relu"(%42) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv1 = "dnn.conv"(%stage4_1_relu, %stage4_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv1_norm, %43, %44 = "dnn.batch_norm"(%stage4_2_conv1, %stage4_2_conv1_norm_weight, %stage4_2_conv1_norm_bias, %stage4_2_conv1_norm_mean, %stage4_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %stage4_2_conv1_relu = "dnn.relu"(%stage4_2_conv1_norm) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv2 = "dnn.conv"(%stage4_2_conv1_relu, %stage4_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv2_norm, %45, %46 = "dnn.batch_norm"(%stage4_2_conv2, %stage4_2_conv2_norm_weight, %stage4_2_conv2_norm_bias, %stage4_2_conv2_norm_mean, %stage4_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %47 = "dnn.add"(%stage4_2_conv2_norm, %stage4_1_relu) : (tensor<8x512x4x4xf32>, tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_relu = "dnn.relu"(%47) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %48 = "dnn.global_average_pool"(%stage4_2_relu) : (tensor<8x512x4x4xf32>) -> tensor<8x512x1x1xf32>
  %49 = "dnn.flatten"(%48) {axis = 1 : i64} : (tensor<8x512x1x1xf32>) -> tensor<8x512xf32>
  %fc = "dnn.gemm"(%49, %fc_weight, %fc_bias) {transB = 1 : i64} : (tensor<8x512xf32>, tensor<10x512xf32>, tensor<10xf32>) -> tensor<8x10xf32>
  %50 = "dnn.softmax_cross_entropy"(%fc, %y) : (tensor<8x10xf32>, tensor<8xi64>) -> tensor<f32>
  func.return %0, %1, %2, %3, %4, %5, %7, %8, %9, %10, %12, %13, %14, %15, %16, %17, %19, %20, %21, %22, %24, %25, %26, %27, %28, %29, %31, %32, %33, %34, %36, %37, %38, %39, %40, %41, %43, %44, %45, %46, %50 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<f32>
}
