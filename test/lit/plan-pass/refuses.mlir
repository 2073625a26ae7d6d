// What keeps its order, or has no plan.

// RUN: opt-tool --plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --plan-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// A function with decisions keeps its order and them; the rest is decided around them.
// CHECK-LABEL: func.func @decided(
// CHECK-SAME:  dnn.arena_bytes = 1152
// CHECK-NEXT:  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>, dnn.offset =
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %t = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} :
// REMARK: refuses.mlir:[[# @LINE + 2]]:1: remark: func.func: ops keep their order: places are decided already, and they are right in this order [order]
// REMARK-NEXT: of 2,176 bytes, a place for each value, offsets save 64, in place 960, the order 0: 1,152 are left
func.func @decided(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv", dnn.reuse = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// With sizes that are not known no op is moved; in place and offsets, for each unit of the size, are decided all the same.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:  dnn.unit = "x"
// CHECK-NEXT:  %a
// CHECK-NEXT:  %b = "dnn.tanh"(%a) {dnn.inplace = array<i32: 0>} :
// REMARK: refuses.mlir:[[# @LINE + 1]]:1: remark: func.func: ops keep their order: a size is not known [order]
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.tanh"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %b : tensor<?xf32>
}
