// The gradient of a recurrent layer in training writes over the workspace that the layer has left, at its last use.

// RUN: opt-tool --inplace-pass=explain=true --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @gru(
// CHECK-NEXT:  %y, %h, %kept = "dnn.onnx_gru_training"(%x, %w, %r)
// CHECK-NEXT:  "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %d)
// CHECK-SAME:  dnn.inplace = array<i32: -1, -1, -1, -1, -1, 4>
func.func @gru(%x: tensor<5x2x4xf32>, %w: tensor<1x9x4xf32>, %r: tensor<1x9x3xf32>, %d: tensor<5x1x2x3xf32>) -> tensor<1x9x4xf32> {
  %y, %h, %kept = "dnn.onnx_gru_training"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)
  %dx, %dw, %dr, %db, %dh, %used = "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<1x384xi8>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)
  func.return %dw : tensor<1x9x4xf32>
}

// CHECK-LABEL: func.func @lstm(
// CHECK:       "dnn.onnx_lstm_training_grad"(%x, %w, %r, %y, %kept, %d)
// CHECK-SAME:  dnn.inplace = array<i32: -1, -1, -1, -1, -1, -1, 4>
func.func @lstm(%x: tensor<5x2x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>, %d: tensor<5x1x2x3xf32>) -> tensor<1x12x4xf32> {
  %y, %h, %c, %kept = "dnn.onnx_lstm_training"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x640xi8>)
  %dx, %dw, %dr, %db, %dh, %dc, %used = "dnn.onnx_lstm_training_grad"(%x, %w, %r, %y, %kept, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<5x1x2x3xf32>, tensor<1x640xi8>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>, tensor<1x24xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x640xi8>)
  func.return %dw : tensor<1x12x4xf32>
}

// Two gradients read the workspace: the first one keeps it.
// REMARK: %used1 is not written over %kept: it is read later, by dnn.onnx_gru_training_grad at line [[# @LINE + 9]] [used-later]
// CHECK-LABEL: func.func @two_gradients(
// CHECK:       "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %d)
// CHECK-SAME:  dnn.refused = ["kernel", "kernel", "kernel", "kernel", "kernel", "used-later"]
// CHECK-NEXT:  "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %e)
// CHECK-SAME:  dnn.inplace = array<i32: -1, -1, -1, -1, -1, 4>
func.func @two_gradients(%x: tensor<5x2x4xf32>, %w: tensor<1x9x4xf32>, %r: tensor<1x9x3xf32>, %d: tensor<5x1x2x3xf32>, %e: tensor<5x1x2x3xf32>) -> (tensor<1x9x4xf32>, tensor<1x9x4xf32>) {
  %y, %h, %kept = "dnn.onnx_gru_training"(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)
  %dx1, %dw1, %dr1, %db1, %dh1, %used1 = "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<1x384xi8>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)
  %dx2, %dw2, %dr2, %db2, %dh2, %used2 = "dnn.onnx_gru_training_grad"(%x, %w, %r, %y, %kept, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 1, 0>} : (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<5x1x2x3xf32>, tensor<1x384xi8>, tensor<5x1x2x3xf32>) -> (tensor<5x2x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, tensor<1x2x3xf32>, tensor<1x384xi8>)
  func.return %dw1, %dw2 : tensor<1x9x4xf32>, tensor<1x9x4xf32>
}
