// Modes of the layers of a step of training: its layers are the ops that the loss depends on.

// RUN: opt-tool --backward-pass --inplace-pass=strategy=nntrainer,explain=true --verify-storage-pass --split-input-file %s | filecheck %s

// The readers in the backward part are no fan-out. The gradient of a layer in place is written over that of its result;
// that of the tanh, which is not, has memory of its own.
// CHECK-LABEL: @activations
// CHECK:      "dnn.matmul"(%x, %w) {dnn.inplace_mode = "none"{{.*}}
// CHECK-NEXT: "dnn.relu"(%c) {dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"}
// CHECK-NEXT: "dnn.tanh"(%a) {dnn.inplace_mode = "none", dnn.refused = ["restricting-input"]}
// CHECK:      "dnn.tanh_grad"(%b, %b_grad) {dnn.inplace_mode = "none", dnn.refused = ["not-listed"]}
// CHECK:      "dnn.relu_grad"(%a, %a_grad) {dnn.inplace = array<i32: 1>, dnn.inplace_mode = "non_restricting"}
func.func @activations(%x: tensor<4x6xf32>, %w: tensor<6x6xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.matmul"(%x, %w) : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %a = "dnn.relu"(%c) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = "dnn.tanh"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %loss = "dnn.reduce_sum_square"(%b) : (tensor<4x6xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}

// -----

// The table gives away the operand of a batch normalisation, which the gradient of its scale reads, and the result of an
// activation that is not in place, which its gradient reads.
// CHECK-LABEL: @needed
// CHECK:      "dnn.batch_norm"(%c, %s, %k, %k, %k) {dnn.inplace_mode = "none", dnn.refused = ["backward-needs"]}
// CHECK-NEXT: "dnn.sigmoid"(%n) {dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"}
// CHECK-NEXT: "dnn.relu"(%a) {dnn.inplace_mode = "none", dnn.refused = ["restricting-input"]}
// CHECK-NEXT: "dnn.tanh"(%b) {dnn.inplace_mode = "none", dnn.refused = ["backward-needs"]}
func.func @needed(%x: tensor<4x6xf32>, %w: tensor<6x6xf32> {dnn.trainable}, %s: tensor<6xf32> {dnn.trainable},
    %k: tensor<6xf32>) -> (tensor<f32> {dnn.loss}) {
  %c = "dnn.matmul"(%x, %w) : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %n = "dnn.batch_norm"(%c, %s, %k, %k, %k)
    : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %a = "dnn.sigmoid"(%n) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = "dnn.relu"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %t = "dnn.tanh"(%b) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %loss = "dnn.reduce_sum_square"(%t) : (tensor<4x6xf32>) -> tensor<f32>
  func.return %loss : tensor<f32>
}
