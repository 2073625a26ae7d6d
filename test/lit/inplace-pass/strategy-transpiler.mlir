// The tag `Reuse` and the last reference: `strategy=transpiler`.

// RUN: opt-tool --inplace-pass=strategy=transpiler,explain=true --verify-storage-pass --split-input-file %s | filecheck %s

// What reads the operand earlier does not matter; add has no tag.
// CHECK-LABEL: @last_reference
func.func @last_reference(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.tanh"(%b) {dnn.refused = ["used-later"]}
  %c = "dnn.tanh"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.relu"(%b) {dnn.inplace = array<i32: 0>}
  %d = "dnn.relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.add"(%d, %c) {dnn.refused = ["not-listed"]}
  %e = "dnn.add"(%d, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %e : tensor<4xf32>
}

// -----

// Constants, what is fetched, and memory of the caller that is not donated.
// CHECK-LABEL: @kept
func.func @kept(%x: tensor<4xf32>, %y: tensor<4xf32> {dnn.donated}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %k = "dnn.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  // CHECK: "dnn.relu"({{%k.*}}) {dnn.refused = ["constant"]}
  %a = "dnn.relu"(%k) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.relu"(%x) {dnn.refused = ["program-input"]}
  %b = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.relu"(%y) {dnn.inplace = array<i32: 0>}
  %c = "dnn.relu"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dnn.tanh"(%a) {dnn.refused = ["returned"]}
  %d = "dnn.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// An explicit backward graph: relu's gradient reads the result, so the operand is read for the last time by relu, and
// softmax's likewise. The gradient ops have two operands and no tag; clip, in the backward part alone, has one.
// CHECK-LABEL: @backward
func.func @backward(%x: tensor<2x4xf32>, %dy: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
  %b = "dnn.relu"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.softmax"(%c) {{{.*}}dnn.inplace = array<i32: 0>}
  %d = "dnn.softmax"(%c) {axis = -1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.softmax_grad"(%d, %dy) {{{.*}}dnn.refused = ["not-listed"]}
  %e = "dnn.softmax_grad"(%d, %dy) {axis = -1 : i64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.clip"(%e) {{{.*}}dnn.inplace = array<i32: 0>}
  %f = "dnn.clip"(%e) {max = 1.0 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.relu_grad"(%b, %f) {dnn.refused = ["not-listed"]}
  %g = "dnn.relu_grad"(%b, %f) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %g : tensor<2x4xf32>
}

// -----

// The mirrored gradient reads the operand, which then lives on: relu may not write over it.
// CHECK-LABEL: @mirrored
func.func @mirrored(%x: tensor<2x4xf32>, %dy: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.relu"(%a) {dnn.refused = ["used-later"]}
  %b = "dnn.relu"(%a) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = "dnn.opaque"(%a, %b, %dy) {kind = "relu_grad_mirror"} : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %c : tensor<2x4xf32>
}
