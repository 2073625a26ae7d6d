// Order, in place and offsets together: the arena is the smallest that some way to choose them gives.

// RUN: opt-tool --plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass --memory-plan-pass %s | filecheck %s --check-prefix=GIVEN
// RUN: xdsl-opt -p plan-pass %s | filecheck %s
// RUN: opt-tool --plan-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// In the given order %t is computed beside %a.
// CHECK-LABEL: func.func @order(
// CHECK-SAME:  dnn.arena_bytes = 1088
// CHECK-NEXT:  %b = "dnn.opaque"(%x) {kind = "conv", dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %t = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %c = "dnn.opaque"(%t) {kind = "conv", dnn.offset = array<i64: 1024>} :
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv", dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %y = "dnn.opaque"(%a, %c)
// GIVEN-LABEL: func.func @order(
// GIVEN-SAME:  dnn.arena_bytes = 1152
// REMARK:      rewrites.mlir:[[# @LINE + 6]]:8: remark: dnn.tanh (t): %t is written over %b, operand 0
// REMARK:      rewrites.mlir:[[# @LINE + 2]]:1: remark: func.func: ops are moved: the arena has 1,088 bytes, in the order they had 1,152
// REMARK-NEXT: remark: func.func: of 2,176 bytes, a place for each value, offsets save 64, in place 960, the order 64: 1,088 are left
func.func @order(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// With %a in its part of %c, all of that would be there beside %b and %d, where the arena is largest: it is copied.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME:  dnn.arena_bytes = 1600
// CHECK-NOT:   dnn.parts
// GIVEN-LABEL: func.func @parts(
// GIVEN-SAME:  dnn.arena_bytes = 1856
// GIVEN:       dnn.parts
func.func @parts(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %d = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<128xf32>
  %e = "dnn.opaque"(%d) {kind = "conv"} : (tensor<128xf32>) -> tensor<64xf32>
  %c = "dnn.concat"(%a, %e) {axis = 0 : i64} : (tensor<16xf32>, tensor<64xf32>) -> tensor<80xf32>
  %y = "dnn.opaque"(%c) {kind = "conv"} : (tensor<80xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
