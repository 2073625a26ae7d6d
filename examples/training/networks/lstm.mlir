// One LSTM layer as one op. The loss is the mean squared distance of the last state to a target.
func.func @main(
    %x: tensor<8x32x256xf32> {dnn.name = "x"},
    %target: tensor<1x32x256xf32> {dnn.name = "target"},
    %w: tensor<1x1024x256xf32> {dnn.name = "w", dnn.trainable},
    %r: tensor<1x1024x256xf32> {dnn.name = "r", dnn.trainable},
    %b: tensor<1x2048xf32> {dnn.name = "b", dnn.trainable})
  -> (
    tensor<f32> {dnn.name = "loss", dnn.loss}) {
  %0, %1, %2 = "dnn.onnx_lstm"(%x, %w, %r, %b) {hidden_size = 256 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>} : (tensor<8x32x256xf32>, tensor<1x1024x256xf32>, tensor<1x1024x256xf32>, tensor<1x2048xf32>) -> (tensor<8x1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>)
  %3 = "dnn.mse"(%1, %target) : (tensor<1x32x256xf32>, tensor<1x32x256xf32>) -> tensor<f32>
  func.return %3 : tensor<f32>
}
