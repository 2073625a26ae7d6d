// An offset for every storage in the arena, whose size the function says; the checker agrees.

// RUN: opt-tool --memory-plan-pass --verify-storage-pass %s | filecheck %s

// Two values that are never in use together share a place; in place, a chain is one.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: attributes {dnn.arena_bytes = 128 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.sigmoid"(%b) {dnn.offset = array<i64: 64>} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv", dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %e = "dnn.opaque"(%d) {kind = "conv"} :
func.func @chain(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.sigmoid"(%b) : (tensor<16xf32>) -> tensor<16xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %e : tensor<16xf32>
}

// Offsets are multiples of 64, whatever the sizes: 4 bytes take 64.
// CHECK-LABEL: func.func @aligned(
// CHECK-SAME: attributes {dnn.arena_bytes = 192 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.tanh"(%x) {dnn.offset = array<i64: 64>} :
// CHECK-NEXT:  %c = "dnn.sigmoid"(%x) {dnn.offset = array<i64: 128>} :
// CHECK-NEXT:  %d = "dnn.sum"(%a, %b, %c) :
func.func @aligned(%x: tensor<1xf32>) -> tensor<1xf32> {
  %a = "dnn.exp"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %b = "dnn.tanh"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %c = "dnn.sigmoid"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %d = "dnn.sum"(%a, %b, %c) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %d : tensor<1xf32>
}

// A value lives as long as a view of it is read.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: attributes {dnn.arena_bytes = 192 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %v = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} :
// CHECK-NEXT:  %b = "dnn.tanh"(%x) {dnn.offset = array<i64: 64>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv", dnn.offset = array<i64: 128>} :
// CHECK-NEXT:  %d = "dnn.mul"(%c, %v) :
func.func @views(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %v = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 1 : i64} : (tensor<16xf32>) -> tensor<1xf32>
  %b = "dnn.tanh"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %d = "dnn.mul"(%c, %v) : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  func.return %d : tensor<16xf32>
}

// Parts of a concat have their place in it, and it lives from its first part on.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: attributes {dnn.arena_bytes = 128 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) :
// CHECK-NEXT:  %b = "dnn.tanh"(%x) :
// CHECK-NEXT:  %c = "dnn.concat"(%a, %b) {axis = 0 : i64, dnn.parts = array<i32: 0, 1>, dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv"} :
func.func @parts(%x: tensor<16xf32>) -> tensor<32xf32> {
  %a = "dnn.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.tanh"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.concat"(%a, %b) {axis = 0 : i64, dnn.parts = array<i32: 0, 1>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<32xf32>) -> tensor<32xf32>
  func.return %d : tensor<32xf32>
}

// A numbered storage is as large as its largest member, and each member says where it is.
// CHECK-LABEL: func.func @numbered(
// CHECK-SAME: attributes {dnn.arena_bytes = 192 : i64}
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 5>, dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 128>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: 5>, dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %d = "dnn.opaque"(%c) {kind = "conv"} :
func.func @numbered(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 5>} : (tensor<16xf32>) -> tensor<8xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<8xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%b) {kind = "conv", dnn.reuse = array<i32: 5>} : (tensor<16xf32>) -> tensor<32xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<32xf32>) -> tensor<16xf32>
  func.return %d : tensor<16xf32>
}

// Scratch is in the arena too, alive for its op alone; an unread result takes its bytes for a moment.
// CHECK-LABEL: func.func @scratch(
// CHECK-SAME: attributes {dnn.arena_bytes = 192 : i64}
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv", dnn.scratch_bytes = 100 : i64, dnn.offset = array<i64: 128>, dnn.scratch_offset = 0 : i64} :
// CHECK-NEXT:  %b, %c = "dnn.opaque"(%a) {kind = "conv", dnn.offset = array<i64: 0, 64>} :
// CHECK-NEXT:  %d = "dnn.opaque"(%b) {kind = "conv", dnn.scratch_bytes = 64 : i64, dnn.scratch_offset = 64 : i64} :
func.func @scratch(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.scratch_bytes = 100 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %b, %c = "dnn.opaque"(%a) {kind = "conv"} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %d = "dnn.opaque"(%b) {kind = "conv", dnn.scratch_bytes = 64 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %d : tensor<16xf32>
}

// An earlier plan stays.
// CHECK-LABEL: func.func @again(
// CHECK-SAME: attributes {dnn.arena_bytes = 4096 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 1024>} :
// CHECK-NEXT:  %b = "dnn.tanh"(%a) {dnn.offset = array<i64: 2048>} :
func.func @again(%x: tensor<16xf32>) -> tensor<16xf32> attributes {dnn.arena_bytes = 4096 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 1024>} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.tanh"(%a) {dnn.offset = array<i64: 2048>} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %b : tensor<16xf32>
}
