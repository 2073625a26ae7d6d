// A plan that a function carries is kept; what has no offset in it is placed around it.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass=algorithm=greedy --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --memory-plan-pass --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: opt-tool --memory-plan-pass=algorithm=pool --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=POOL
// RUN: not opt-tool --memory-plan-pass=limit=512 %s 2>&1 | filecheck %s --check-prefix=LIMIT

// REMARK: given-plan.mlir:[[# @LINE + 7]]:1: remark: func.func: the arena has 1,024 bytes: the plan that is there is kept
// POOL: given-plan.mlir:[[# @LINE + 6]]:1: remark: func.func: no storage is numbered: the plan of the arena that is there is kept [decided]
// LIMIT: given-plan.mlir:[[# @LINE + 5]]:1: error: the plan that @whole carries takes 1,024 bytes, the limit is 512
// CHECK-LABEL: func.func @whole(
// CHECK-SAME:  attributes {dnn.arena_bytes = 1024 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 256>} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 512>} :
func.func @whole(%x: tensor<64xf32>) -> tensor<64xf32> attributes {dnn.arena_bytes = 1024 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 512>} : (tensor<64xf32>) -> tensor<64xf32>
  %d = "dnn.opaque"(%b, %a) {kind = "conv"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  func.return %d : tensor<64xf32>
}

// %b goes below and %c above what is given.
// REMARK: given-plan.mlir:[[# @LINE + 6]]:1: remark: func.func: the arena has 768 bytes{{.*}}around the offsets that were there
// CHECK-LABEL: func.func @rest(
// CHECK-SAME:  attributes {dnn.arena_bytes = 768 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 256>} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: {{0|512}}>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b, %a) {kind = "conv", dnn.offset = array<i64: {{0|512}}>} :
func.func @rest(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<64xf32>) -> tensor<64xf32>
  %c = "dnn.opaque"(%b, %a) {kind = "conv"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %d = "dnn.opaque"(%c, %a) {kind = "conv"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  func.return %d : tensor<64xf32>
}

// The offset says where %b lies, and not its operand: the decision without effect is dropped with a word.
// REMARK: given-plan.mlir:[[# @LINE + 6]]:8: remark: dnn.relu (b): dnn.inplace of result 0 dropped: it has no effect, as dnn.offset gives the place
// CHECK-LABEL: func.func @void(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.offset = array<i64: 64>} :
func.func @void(%x: tensor<16xf32>) -> tensor<16xf32> attributes {dnn.arena_bytes = 128 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.relu"(%a) {dnn.offset = array<i64: 64>, dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}

// What shares bytes by its offsets alone is kept; the rest is not planned around that.
// REMARK: given-plan.mlir:[[# @LINE + 4]]:1: remark: func.func: the rest is not planned around the offsets that are there{{.*}} [decided]
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.relu"(%a) {dnn.offset = array<i64: 0>} :
func.func @shared(%x: tensor<16xf32>) -> tensor<16xf32> attributes {dnn.arena_bytes = 64 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.relu"(%a) {dnn.offset = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %d : tensor<16xf32>
}
