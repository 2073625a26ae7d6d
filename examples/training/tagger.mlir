// A tagger of words: a GRU in both directions over sentences of any lengths, which lie row behind row.
func.func @main(
    %words: tensor<?xi64> {dnn.name = "words", dnn.sizes = ["rows"]},
    %offsets: tensor<?xi64> {dnn.name = "offsets"},
    %tags: tensor<?xi64> {dnn.name = "tags", dnn.sizes = ["rows"]},
    %embedding: tensor<1000x64xf32> {dnn.name = "embedding", dnn.trainable},
    %input1: tensor<64x192xf32> {dnn.name = "forward.input", dnn.trainable},
    %state1: tensor<64x3x64xf32> {dnn.name = "forward.state", dnn.trainable},
    %bias1: tensor<1x192xf32> {dnn.name = "forward.bias", dnn.trainable},
    %input2: tensor<64x192xf32> {dnn.name = "backward.input", dnn.trainable},
    %state2: tensor<64x3x64xf32> {dnn.name = "backward.state", dnn.trainable},
    %bias2: tensor<1x192xf32> {dnn.name = "backward.bias", dnn.trainable},
    %weights: tensor<128x8xf32> {dnn.name = "tag.weight", dnn.trainable},
    %bias: tensor<8xf32> {dnn.name = "tag.bias", dnn.trainable})
    -> (tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %x = "dnn.gather"(%embedding, %words) {axis = 0 : i64} : (tensor<1000x64xf32>, tensor<?xi64>) -> tensor<?x64xf32>
  %h1 = "dnn.fused_gru"(%x, %input1, %state1, %bias1, %offsets) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} : (tensor<?x64xf32>, tensor<64x192xf32>, tensor<64x3x64xf32>, tensor<1x192xf32>, tensor<?xi64>) -> tensor<?x64xf32>
  %h2 = "dnn.fused_gru"(%x, %input2, %state2, %bias2, %offsets) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} : (tensor<?x64xf32>, tensor<64x192xf32>, tensor<64x3x64xf32>, tensor<1x192xf32>, tensor<?xi64>) -> tensor<?x64xf32>
  %h = "dnn.concat"(%h1, %h2) {axis = 1 : i64} : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x128xf32>
  %logits = "dnn.gemm"(%h, %weights, %bias) : (tensor<?x128xf32>, tensor<128x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %loss = "dnn.softmax_cross_entropy"(%logits, %tags) : (tensor<?x8xf32>, tensor<?xi64>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
