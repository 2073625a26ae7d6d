// The GRUs of `tagger.mlir` under a linear-chain CRF, over `rows` words in all sentences together.
func.func @main(
    %words: tensor<360xi64> {dnn.name = "words"},
    %tags: tensor<360xi64> {dnn.name = "tags"},
    %offsets: tensor<17xi64> {dnn.name = "offsets"},
    %embedding: tensor<1000x64xf32> {dnn.name = "embedding", dnn.trainable},
    %forward_input: tensor<64x192xf32> {dnn.name = "forward.input", dnn.trainable},
    %forward_state: tensor<64x3x64xf32> {dnn.name = "forward.state", dnn.trainable},
    %forward_bias: tensor<1x192xf32> {dnn.name = "forward.bias", dnn.trainable},
    %backward_input: tensor<64x192xf32> {dnn.name = "backward.input", dnn.trainable},
    %backward_state: tensor<64x3x64xf32> {dnn.name = "backward.state", dnn.trainable},
    %backward_bias: tensor<1x192xf32> {dnn.name = "backward.bias", dnn.trainable},
    %tag_weight: tensor<8x128xf32> {dnn.name = "tag.weight", dnn.trainable},
    %tag_bias: tensor<8xf32> {dnn.name = "tag.bias", dnn.trainable},
    %transition: tensor<10x8xf32> {dnn.name = "transition", dnn.trainable})
  -> (
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %0 = "dnn.gather"(%embedding, %words) {axis = 0 : i64} : (tensor<1000x64xf32>, tensor<360xi64>) -> tensor<360x64xf32>
  %1 = "dnn.fused_gru"(%0, %forward_input, %forward_state, %forward_bias, %offsets) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} : (tensor<360x64xf32>, tensor<64x192xf32>, tensor<64x3x64xf32>, tensor<1x192xf32>, tensor<17xi64>) -> tensor<360x64xf32>
  %2 = "dnn.fused_gru"(%0, %backward_input, %backward_state, %backward_bias, %offsets) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} : (tensor<360x64xf32>, tensor<64x192xf32>, tensor<64x3x64xf32>, tensor<1x192xf32>, tensor<17xi64>) -> tensor<360x64xf32>
  %3 = "dnn.concat"(%1, %2) {axis = 1 : i64} : (tensor<360x64xf32>, tensor<360x64xf32>) -> tensor<360x128xf32>
  %tag = "dnn.gemm"(%3, %tag_weight, %tag_bias) {transB = 1 : i64} : (tensor<360x128xf32>, tensor<8x128xf32>, tensor<8xf32>) -> tensor<360x8xf32>
  %4 = "dnn.linear_chain_crf"(%tag, %transition, %tags, %offsets) : (tensor<360x8xf32>, tensor<10x8xf32>, tensor<360xi64>, tensor<17xi64>) -> tensor<16x1xf32>
  %5 = "dnn.reduce_mean"(%4) : (tensor<16x1xf32>) -> tensor<f32>
  func.return %5 : tensor<f32>
}
