// Modes of layers, from their kind and the modes of those before: `strategy=nntrainer`.

// RUN: opt-tool --inplace-pass=strategy=nntrainer,explain=true --verify-storage-pass --split-input-file %s | filecheck %s

// Activations restrict the next one; an op that is out of place restricts no other, so every second one is in place.
// CHECK-LABEL: @activations
func.func @activations(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: "dnn.opaque"{{.*}}dnn.inplace_mode = "none"
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"
  %b = "dnn.relu"(%a) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.tanh"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["restricting-input"]
  %c = "dnn.tanh"(%b) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.sigmoid"{{.*}}dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"
  %d = "dnn.sigmoid"(%c) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %d : tensor<2x8xf32>
}

// -----

// Its backward pass reads neither input nor result, so batch norm restricts no other op; flatten passes modes on.
// CHECK-LABEL: @batch_norm
func.func @batch_norm(%x: tensor<2x3x4xf32>, %k: tensor<3xf32>) -> tensor<2x12xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: "dnn.batch_norm"{{.*}}dnn.inplace = array<i32: 0>, dnn.inplace_mode = "non_restricting"
  %b = "dnn.batch_norm"(%a, %k, %k, %k, %k) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  // CHECK: "dnn.flatten"{{.*}}dnn.inplace_mode = "non_restricting"
  %c = "dnn.flatten"(%b) {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"
  %d = "dnn.relu"(%c) : (tensor<2x12xf32>) -> tensor<2x12xf32>
  // CHECK: "dnn.flatten"{{.*}}dnn.inplace_mode = "restricting"
  %e = "dnn.flatten"(%d) {axis = 1 : i64} : (tensor<2x12xf32>) -> tensor<2x12xf32>
  // CHECK: "dnn.tanh"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["restricting-input"]
  %f = "dnn.tanh"(%e) : (tensor<2x12xf32>) -> tensor<2x12xf32>
  func.return %f : tensor<2x12xf32>
}

// -----

// A multiout is always restricting, even behind a restricting layer; no rule accepts a reshape; softmax does not support it.
// CHECK-LABEL: @others
func.func @others(%x: tensor<2x8xf32>) -> tensor<4x4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace_mode = "restricting"
  %b = "dnn.relu"(%a) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.multiout"{{.*}}dnn.inplace_mode = "restricting"
  %p, %q = "dnn.multiout"(%b) : (tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>)
  // CHECK: "dnn.softmax"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["not-listed"]
  %c = "dnn.softmax"(%p) {axis = -1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.add"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["not-listed"]
  %d = "dnn.add"(%c, %q) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: "dnn.reshape"{{.*}}dnn.inplace_mode = "none"
  %e = "dnn.reshape"(%d) : (tensor<2x8xf32>) -> tensor<4x4xf32>
  func.return %e : tensor<4x4xf32>
}

// -----

// The user's tensor is not written over, though the mode would allow it, unless it is donated.
// CHECK-LABEL: @input
func.func @input(%x: tensor<8xf32>, %y: tensor<8xf32> {dnn.donated}) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: "dnn.relu"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["program-input"]
  %a = "dnn.relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace = array<i32: 0>, dnn.inplace_mode = "restricting"
  %b = "dnn.relu"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// A restriction is one of memory: a view passes it on, also where none of nntrainer's rules knows the view.
// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: "dnn.relu"{{.*}}dnn.inplace_mode = "restricting"
  %a = "dnn.relu"(%c) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = "dnn.reshape"(%a) : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
  // CHECK: "dnn.select"{{.*}}dnn.inplace_mode = "none"
  %v = "dnn.select"(%r) {dim = 0 : i64, index = 1 : i64} : (tensor<2x2x4xf32>) -> tensor<2x4xf32>
  // CHECK: "dnn.tanh"{{.*}}dnn.inplace_mode = "none", dnn.refused = ["restricting-input"]
  %t = "dnn.tanh"(%v) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %t : tensor<2x4xf32>
}
