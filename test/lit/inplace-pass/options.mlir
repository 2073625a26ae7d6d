// What the options do, as a flag and in a pipeline.

// RUN: opt-tool --inplace-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass=strategy=optimal,parts=true,explain=false %s | filecheck %s
// RUN: opt-tool --inplace-pass=parts=false %s | filecheck %s --check-prefix=WHOLE
// RUN: opt-tool --inplace-pass=explain=true %s | filecheck %s --check-prefix=WHY
// RUN: opt-tool --inplace-pass=strategy=paddle %s | filecheck %s --check-prefix=PADDLE
// RUN: opt-tool -p 'inplace-pass{strategy=paddle explain=true}' %s | filecheck %s --check-prefix=BOTH
// RUN: opt-tool --inplace-pass=strategy=paddle --inplace-pass --verify-storage-pass %s | filecheck %s

// CHECK-NOT:  dnn.refused
// CHECK:      %a = "dnn.exp"(%x) {dnn.engine = "onednn"} :
// CHECK-NEXT: %b = "dnn.relu"(%a) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :
// CHECK-NEXT: %c = "dnn.sigmoid"(%b) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :
// CHECK-NEXT: %d = "dnn.concat"(%c, %x) {axis = 0 : i64, dnn.parts = array<i32: 0>} :

// WHOLE:      %c = "dnn.sigmoid"(%b) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :
// WHOLE-NEXT: %d = "dnn.concat"(%c, %x) {axis = 0 : i64} :

// WHY:      %a = "dnn.exp"(%x) {dnn.engine = "onednn", dnn.refused = ["program-input"]} :
// WHY-NEXT: %b = "dnn.relu"(%a) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :

// PADDLE:      %a = "dnn.exp"(%x) {dnn.engine = "onednn"} :
// PADDLE-NEXT: %b = "dnn.relu"(%a) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :
// PADDLE-NEXT: %c = "dnn.sigmoid"(%b) {dnn.engine = "onednn"} :
// PADDLE-NEXT: %d = "dnn.concat"(%c, %x) {axis = 0 : i64} :

// BOTH:      %b = "dnn.relu"(%a) {dnn.engine = "onednn", dnn.inplace = array<i32: 0>} :
// BOTH-NEXT: %c = "dnn.sigmoid"(%b) {dnn.engine = "onednn", dnn.refused = ["not-listed"]} :
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = "dnn.exp"(%x) {dnn.engine = "onednn"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.engine = "onednn"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.sigmoid"(%b) {dnn.engine = "onednn"} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.concat"(%c, %x) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}
