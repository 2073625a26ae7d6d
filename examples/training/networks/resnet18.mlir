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
  %2 = "dnn.relu"(%stem_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv1 = "dnn.conv"(%2, %stage1_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv1_norm, %3, %4 = "dnn.batch_norm"(%stage1_1_conv1, %stage1_1_conv1_norm_weight, %stage1_1_conv1_norm_bias, %stage1_1_conv1_norm_mean, %stage1_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %5 = "dnn.relu"(%stage1_1_conv1_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv2 = "dnn.conv"(%5, %stage1_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_1_conv2_norm, %6, %7 = "dnn.batch_norm"(%stage1_1_conv2, %stage1_1_conv2_norm_weight, %stage1_1_conv2_norm_bias, %stage1_1_conv2_norm_mean, %stage1_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %8 = "dnn.add"(%stage1_1_conv2_norm, %2) : (tensor<8x64x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %9 = "dnn.relu"(%8) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv1 = "dnn.conv"(%9, %stage1_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv1_norm, %10, %11 = "dnn.batch_norm"(%stage1_2_conv1, %stage1_2_conv1_norm_weight, %stage1_2_conv1_norm_bias, %stage1_2_conv1_norm_mean, %stage1_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %12 = "dnn.relu"(%stage1_2_conv1_norm) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv2 = "dnn.conv"(%12, %stage1_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x32x32xf32>
  %stage1_2_conv2_norm, %13, %14 = "dnn.batch_norm"(%stage1_2_conv2, %stage1_2_conv2_norm_weight, %stage1_2_conv2_norm_bias, %stage1_2_conv2_norm_mean, %stage1_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64x32x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %15 = "dnn.add"(%stage1_2_conv2_norm, %9) : (tensor<8x64x32x32xf32>, tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %16 = "dnn.relu"(%15) : (tensor<8x64x32x32xf32>) -> tensor<8x64x32x32xf32>
  %stage2_1_conv1 = "dnn.conv"(%16, %stage2_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x64x32x32xf32>, tensor<128x64x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv1_norm, %17, %18 = "dnn.batch_norm"(%stage2_1_conv1, %stage2_1_conv1_norm_weight, %stage2_1_conv1_norm_bias, %stage2_1_conv1_norm_mean, %stage2_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %19 = "dnn.relu"(%stage2_1_conv1_norm) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv2 = "dnn.conv"(%19, %stage2_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_conv2_norm, %20, %21 = "dnn.batch_norm"(%stage2_1_conv2, %stage2_1_conv2_norm_weight, %stage2_1_conv2_norm_bias, %stage2_1_conv2_norm_mean, %stage2_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %stage2_1_shortcut = "dnn.conv"(%16, %stage2_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x64x32x32xf32>, tensor<128x64x1x1xf32>) -> tensor<8x128x16x16xf32>
  %stage2_1_shortcut_norm, %22, %23 = "dnn.batch_norm"(%stage2_1_shortcut, %stage2_1_shortcut_norm_weight, %stage2_1_shortcut_norm_bias, %stage2_1_shortcut_norm_mean, %stage2_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %24 = "dnn.add"(%stage2_1_conv2_norm, %stage2_1_shortcut_norm) : (tensor<8x128x16x16xf32>, tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %25 = "dnn.relu"(%24) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv1 = "dnn.conv"(%25, %stage2_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv1_norm, %26, %27 = "dnn.batch_norm"(%stage2_2_conv1, %stage2_2_conv1_norm_weight, %stage2_2_conv1_norm_bias, %stage2_2_conv1_norm_mean, %stage2_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %28 = "dnn.relu"(%stage2_2_conv1_norm) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv2 = "dnn.conv"(%28, %stage2_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x128x16x16xf32>, tensor<128x128x3x3xf32>) -> tensor<8x128x16x16xf32>
  %stage2_2_conv2_norm, %29, %30 = "dnn.batch_norm"(%stage2_2_conv2, %stage2_2_conv2_norm_weight, %stage2_2_conv2_norm_bias, %stage2_2_conv2_norm_mean, %stage2_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) -> (tensor<8x128x16x16xf32>, tensor<128xf32>, tensor<128xf32>)
  %31 = "dnn.add"(%stage2_2_conv2_norm, %25) : (tensor<8x128x16x16xf32>, tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %32 = "dnn.relu"(%31) : (tensor<8x128x16x16xf32>) -> tensor<8x128x16x16xf32>
  %stage3_1_conv1 = "dnn.conv"(%32, %stage3_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x128x16x16xf32>, tensor<256x128x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv1_norm, %33, %34 = "dnn.batch_norm"(%stage3_1_conv1, %stage3_1_conv1_norm_weight, %stage3_1_conv1_norm_bias, %stage3_1_conv1_norm_mean, %stage3_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %35 = "dnn.relu"(%stage3_1_conv1_norm) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv2 = "dnn.conv"(%35, %stage3_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_conv2_norm, %36, %37 = "dnn.batch_norm"(%stage3_1_conv2, %stage3_1_conv2_norm_weight, %stage3_1_conv2_norm_bias, %stage3_1_conv2_norm_mean, %stage3_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %stage3_1_shortcut = "dnn.conv"(%32, %stage3_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x128x16x16xf32>, tensor<256x128x1x1xf32>) -> tensor<8x256x8x8xf32>
  %stage3_1_shortcut_norm, %38, %39 = "dnn.batch_norm"(%stage3_1_shortcut, %stage3_1_shortcut_norm_weight, %stage3_1_shortcut_norm_bias, %stage3_1_shortcut_norm_mean, %stage3_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %40 = "dnn.add"(%stage3_1_conv2_norm, %stage3_1_shortcut_norm) : (tensor<8x256x8x8xf32>, tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %41 = "dnn.relu"(%40) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv1 = "dnn.conv"(%41, %stage3_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv1_norm, %42, %43 = "dnn.batch_norm"(%stage3_2_conv1, %stage3_2_conv1_norm_weight, %stage3_2_conv1_norm_bias, %stage3_2_conv1_norm_mean, %stage3_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %44 = "dnn.relu"(%stage3_2_conv1_norm) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv2 = "dnn.conv"(%44, %stage3_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x256x8x8xf32>, tensor<256x256x3x3xf32>) -> tensor<8x256x8x8xf32>
  %stage3_2_conv2_norm, %45, %46 = "dnn.batch_norm"(%stage3_2_conv2, %stage3_2_conv2_norm_weight, %stage3_2_conv2_norm_bias, %stage3_2_conv2_norm_mean, %stage3_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<8x256x8x8xf32>, tensor<256xf32>, tensor<256xf32>)
  %47 = "dnn.add"(%stage3_2_conv2_norm, %41) : (tensor<8x256x8x8xf32>, tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %48 = "dnn.relu"(%47) : (tensor<8x256x8x8xf32>) -> tensor<8x256x8x8xf32>
  %stage4_1_conv1 = "dnn.conv"(%48, %stage4_1_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<8x256x8x8xf32>, tensor<512x256x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv1_norm, %49, %50 = "dnn.batch_norm"(%stage4_1_conv1, %stage4_1_conv1_norm_weight, %stage4_1_conv1_norm_bias, %stage4_1_conv1_norm_mean, %stage4_1_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %51 = "dnn.relu"(%stage4_1_conv1_norm) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv2 = "dnn.conv"(%51, %stage4_1_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_conv2_norm, %52, %53 = "dnn.batch_norm"(%stage4_1_conv2, %stage4_1_conv2_norm_weight, %stage4_1_conv2_norm_bias, %stage4_1_conv2_norm_mean, %stage4_1_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %stage4_1_shortcut = "dnn.conv"(%48, %stage4_1_shortcut_weight) {pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<8x256x8x8xf32>, tensor<512x256x1x1xf32>) -> tensor<8x512x4x4xf32>
  %stage4_1_shortcut_norm, %54, %55 = "dnn.batch_norm"(%stage4_1_shortcut, %stage4_1_shortcut_norm_weight, %stage4_1_shortcut_norm_bias, %stage4_1_shortcut_norm_mean, %stage4_1_shortcut_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %56 = "dnn.add"(%stage4_1_conv2_norm, %stage4_1_shortcut_norm) : (tensor<8x512x4x4xf32>, tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %57 = "dnn.relu"(%56) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv1 = "dnn.conv"(%57, %stage4_2_conv1_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv1_norm, %58, %59 = "dnn.batch_norm"(%stage4_2_conv1, %stage4_2_conv1_norm_weight, %stage4_2_conv1_norm_bias, %stage4_2_conv1_norm_mean, %stage4_2_conv1_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %60 = "dnn.relu"(%stage4_2_conv1_norm) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv2 = "dnn.conv"(%60, %stage4_2_conv2_weight) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<8x512x4x4xf32>, tensor<512x512x3x3xf32>) -> tensor<8x512x4x4xf32>
  %stage4_2_conv2_norm, %61, %62 = "dnn.batch_norm"(%stage4_2_conv2, %stage4_2_conv2_norm_weight, %stage4_2_conv2_norm_bias, %stage4_2_conv2_norm_mean, %stage4_2_conv2_norm_variance) {training_mode = 1 : i64} : (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<8x512x4x4xf32>, tensor<512xf32>, tensor<512xf32>)
  %63 = "dnn.add"(%stage4_2_conv2_norm, %57) : (tensor<8x512x4x4xf32>, tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %64 = "dnn.relu"(%63) : (tensor<8x512x4x4xf32>) -> tensor<8x512x4x4xf32>
  %65 = "dnn.global_average_pool"(%64) : (tensor<8x512x4x4xf32>) -> tensor<8x512x1x1xf32>
  %66 = "dnn.flatten"(%65) {axis = 1 : i64} : (tensor<8x512x1x1xf32>) -> tensor<8x512xf32>
  %fc = "dnn.gemm"(%66, %fc_weight, %fc_bias) {transB = 1 : i64} : (tensor<8x512xf32>, tensor<10x512xf32>, tensor<10xf32>) -> tensor<8x10xf32>
  %67 = "dnn.softmax_cross_entropy"(%fc, %y) : (tensor<8x10xf32>, tensor<8xi64>) -> tensor<f32>
  func.return %0, %1, %3, %4, %6, %7, %10, %11, %13, %14, %17, %18, %20, %21, %22, %23, %26, %27, %29, %30, %33, %34, %36, %37, %38, %39, %42, %43, %45, %46, %49, %50, %52, %53, %54, %55, %58, %59, %61, %62, %67 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<f32>
}
