// dce and canonicalize take away what nobody reads, and leave alone what a decision says writes.

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

// Before any decision canonicalize joins a comparison and its cast back; afterwards it leaves what is decided.
// FIRST-LABEL: @mask
// FIRST: "dnn.less"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// FIRST-LABEL: @decided
// FIRST: "dnn.less"(%x, %x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// FIRST: "dnn.cast"
func.func @mask(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "dnn.less"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}
func.func @decided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "dnn.less"(%x, %x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}
