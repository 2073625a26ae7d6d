// Memory of results that are not written yet: values lie there, and copies to results run early.

// RUN: opt-tool --plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass --memory-plan-pass %s | filecheck %s --check-prefix=APART
// RUN: opt-tool --plan-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// %a is dead when %c is written.
// CHECK-LABEL: func.func @dead(
// CHECK-SAME:  dnn.arena_bytes = 256
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: 0>} :
// APART-LABEL: func.func @dead(
// APART-SAME:  dnn.arena_bytes = 512
// REMARK:      results.mlir:[[# @LINE + 1]]:1: remark: func.func: values lie in the memory of results until these are written: the arena has 256 bytes, without that 512
func.func @dead(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  func.return %c : tensor<64xf32>
}

// %b is read when %c is written, %a is larger than %c, and the memory of %d is the caller's own.
// CHECK-LABEL: func.func @refused(
// CHECK-NOT:   dnn.reuse
// CHECK:       func.return
func.func @refused(%x: tensor<64xf32>, %s: tensor<64xf32>) -> (tensor<32xf32>, tensor<64xf32> {dnn.tied = 1 : i32}) {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<64xf32>) -> tensor<32xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  %d = "dnn.opaque"(%s) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  func.return %c, %d : tensor<32xf32>, tensor<64xf32>
}

// %t is a view of %b, which lies in the arena. It is copied behind the last op that reads %b, and not at the return, so
// that %d lies where %b did.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME:  dnn.arena_bytes = 1024
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 512>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv", dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %t = "dnn.transpose"(%b) {perm = array<i64: 1, 0>, dnn.copy} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv", dnn.offset = array<i64: 512>} :
// APART-LABEL: func.func @copied(
// APART-SAME:  dnn.arena_bytes = 1536
func.func @copied(%x: tensor<8x16xf32>) -> (tensor<16x8xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<8x16xf32>) -> tensor<4xf32>
  %t = "dnn.transpose"(%b) {perm = array<i64: 1, 0>} : (tensor<8x16xf32>) -> tensor<16x8xf32>
  func.return %t, %e : tensor<16x8xf32>, tensor<4xf32>
}
