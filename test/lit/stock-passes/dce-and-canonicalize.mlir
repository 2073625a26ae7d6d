// dce and canonicalize remove unread ops, and keep ops that write by a decision.

// RUN: opt-tool %s -p dce --inplace-pass --verify-storage-pass | filecheck %s --check-prefix=FIRST
// RUN: opt-tool %s -p canonicalize --inplace-pass --verify-storage-pass | filecheck %s --check-prefix=FIRST
// RUN: opt-tool %s --inplace-pass -p dce --verify-storage-pass | filecheck %s --check-prefix=LAST
// RUN: opt-tool %s --inplace-pass -p canonicalize --verify-storage-pass | filecheck %s --check-prefix=LAST

// Decided afterwards, %c goes over %a, which only the dead %b read too.
// FIRST-LABEL: @dead
// FIRST: %a = "dnn.exp"
// FIRST-NEXT: %c = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
// LAST-LABEL: @dead
// LAST: %a = "dnn.exp"
// LAST: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.neg"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
