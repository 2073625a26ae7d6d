// The oneDNN in-place pass: `strategy=paddle`.

// RUN: opt-tool --inplace-pass=strategy=paddle,explain=true --verify-storage-pass --split-input-file %s | filecheck %s

// Listed ops on oneDNN, over operand 0, with a following op; the last one has none.
// CHECK-LABEL: @chain
func.func @chain(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.softmax"{{.*}}dnn.inplace = array<i32: 0>
  %b = "dnn.softmax"(%a) {axis = -1 : i64, dnn.engine = "onednn"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace = array<i32: 0>
  %c = "dnn.relu"(%b) {dnn.engine = "onednn"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.refused = ["engine"]
  %d = "dnn.relu"(%c) {dnn.engine = "cpu"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.gelu"{{.*}}dnn.refused = ["not-listed"]
  %e = "dnn.gelu"(%d) {dnn.engine = "onednn"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.tanh"{{.*}}dnn.refused = ["returned"]
  %f = "dnn.tanh"(%e) {dnn.engine = "onednn"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %f : tensor<2x8xf32>
}

// -----

// A second reader refuses, even an earlier one.
// CHECK-LABEL: @readers
func.func @readers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.refused = ["used-later"]
  %c = "dnn.relu"(%a) {dnn.engine = "onednn"} : (tensor<8xf32>) -> tensor<8xf32>
  %d = "dnn.opaque"(%b, %c) {kind = "conv"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}

// -----

// An earlier pass put the next op where the operand is: layer_norm cannot work in place here, so softmax may not either.
// CHECK-LABEL: @next_op_reuses
func.func @next_op_reuses(%x: tensor<2x8xf32>, %k: tensor<8xf32>) -> tensor<2x8xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.softmax"{{.*}}dnn.refused = ["next-op-reuses"]
  %b = "dnn.softmax"(%a) {axis = -1 : i64, dnn.engine = "onednn"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = "dnn.layer_norm"(%b, %k, %k) {axis = -1 : i64, dnn.reuse = array<i32: 0>} : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %d : tensor<2x8xf32>
}
