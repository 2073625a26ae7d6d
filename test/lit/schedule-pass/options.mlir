// With in-place decisions or without; a limit of the search.

// RUN: opt-tool --schedule-pass %s | filecheck %s
// RUN: opt-tool --schedule-pass=inplace=true,nodes=100 %s | filecheck %s
// RUN: opt-tool --schedule-pass=inplace=false %s | filecheck %s --check-prefix=PLAIN
// RUN: opt-tool -p 'schedule-pass{inplace=false}' %s | filecheck %s --check-prefix=PLAIN

// %p needs 1,216 bytes. %b and %t need 1,024 in place and come behind it; apart they need 2,048, and
// come first.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:  %p =
// CHECK-NEXT:  %q =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %t =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %y =
// PLAIN-LABEL: func.func @main(
// PLAIN-NEXT:  %b =
// PLAIN-NEXT:  %t =
// PLAIN-NEXT:  %a =
// PLAIN-NEXT:  %c =
// PLAIN-NEXT:  %p =
// PLAIN-NEXT:  %q =
// PLAIN-NEXT:  %y =
func.func @main(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %p = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<304xf32>
  %q = "dnn.opaque"(%p) {kind = "conv"} : (tensor<304xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %q, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
