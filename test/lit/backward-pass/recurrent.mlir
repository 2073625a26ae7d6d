// A recurrent layer leaves a workspace for its gradient, unless its kernel has none; the reason is a remark.

// RUN: opt-tool --backward-pass --remarks --split-input-file %s 2>&1 | filecheck %s

// CHECK-LABEL: @gru
// CHECK: %y, %h, %[[KEPT:.*]] = "dnn.onnx_gru_training"(%x, %w, %r)
// CHECK: %w_grad, %r_grad, {{.*}} = "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %[[KEPT]], %y_grad)
// CHECK: func.return %loss, %w_grad, %r_grad
func.func @gru(%x: tensor<5x2x4xf32>, %w: tensor<1x9x4xf32> {dnn.trainable}, %r: tensor<1x9x3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %y, %h = "dnn.onnx_gru"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)
  %loss = "dnn.reduce_sum"(%y) : (tensor<5x1x2x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// The workspace has the cells of an LSTM. x is not trained, and has no gradient.

// CHECK-LABEL: @lstm
// CHECK: %y, %h, %c, %[[KEPT:.*]] = "dnn.onnx_lstm_training"(%x, %w, %r)
// CHECK: %w_grad, %r_grad, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} = "dnn.onnx_lstm_training_grad"(%x, %w, %r, %y, %[[KEPT]], %y_grad)
func.func @lstm(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32> {dnn.trainable}, %r: tensor<1x12x3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %y, %h, %c = "dnn.onnx_lstm"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  %loss = "dnn.reduce_sum"(%y) : (tensor<5x1x2x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// CHECK: remark: dnn.onnx_gru (y, h): its gradient is computed in numpy [there are sequence_lens]
// CHECK-LABEL: @lengths
// CHECK: "dnn.onnx_gru"(
// CHECK: "dnn.onnx_gru_grad"(
func.func @lengths(%x: tensor<5x2x4xf32>, %w: tensor<1x9x4xf32> {dnn.trainable}, %r: tensor<1x9x3xf32> {dnn.trainable}, %n: tensor<2xi32>) -> (tensor<f32> {dnn.loss}) {
  %y, %h = "dnn.onnx_gru"(%x, %w, %r, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<2xi32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)
  %loss = "dnn.reduce_sum"(%y) : (tensor<5x1x2x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// CHECK: remark: dnn.onnx_gru (y, h): its gradient is computed in numpy [dnn.engine is cpu]
// CHECK-LABEL: @on_cpu
// CHECK: "dnn.onnx_gru"(
// CHECK: "dnn.onnx_gru_grad"(
func.func @on_cpu(%x: tensor<5x2x4xf32>, %w: tensor<1x9x4xf32> {dnn.trainable}, %r: tensor<1x9x3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %y, %h = "dnn.onnx_gru"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, dnn.engine = "cpu"} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>)
  %loss = "dnn.reduce_sum"(%y) : (tensor<5x1x2x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// CHECK: remark: dnn.onnx_lstm (y, h, c): its gradient is computed in numpy [there are other activations, or input_forget]
// CHECK-LABEL: @relu
// CHECK: "dnn.onnx_lstm"(
// CHECK: "dnn.onnx_lstm_grad"(
func.func @relu(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32> {dnn.trainable}, %r: tensor<1x12x3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %y, %h, %c = "dnn.onnx_lstm"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>, activations = ["sigmoid", "relu", "tanh"]} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  %loss = "dnn.reduce_sum"(%y) : (tensor<5x1x2x3xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
