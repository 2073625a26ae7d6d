// opt-tool --backward-pass
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.mul"(%x, %w) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %b = "dnn.relu"(%a) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %loss = "dnn.reduce_sum"(%b) : (tensor<4x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
