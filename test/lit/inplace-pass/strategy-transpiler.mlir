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
