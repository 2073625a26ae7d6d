// Any of the three may be left out.

// RUN: opt-tool --plan-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --plan-pass=strategy=reinplace,algorithm=exact,nodes=100 --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --plan-pass=schedule=false --verify-storage-pass %s | filecheck %s --check-prefix=GIVEN
// RUN: opt-tool --plan-pass=inplace=false --verify-storage-pass %s | filecheck %s --check-prefix=APART
// RUN: opt-tool -p 'plan-pass{inplace=false schedule=false}' --verify-storage-pass %s | filecheck %s --check-prefix=NEITHER

// CHECK:        dnn.arena_bytes = 1088
// CHECK-NEXT:   %b =
// CHECK-NEXT:   %t = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} :

// GIVEN:        dnn.arena_bytes = 1152
// GIVEN-NEXT:   %a =
// GIVEN-NEXT:   %b =
// GIVEN-NEXT:   %t = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} :

// APART:        dnn.arena_bytes = 2048
// APART-NEXT:   %b =
// APART-NEXT:   %t = "dnn.tanh"(%b) {dnn.offset

// NEITHER:      dnn.arena_bytes = 2112
// NEITHER-NEXT: %a =
// NEITHER-NEXT: %b =
// NEITHER-NEXT: %t = "dnn.tanh"(%b) {dnn.offset
func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
