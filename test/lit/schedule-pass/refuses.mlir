// Where ops keep their order.

// RUN: opt-tool --allow-unregistered-dialect --schedule-pass %s | filecheck %s
// RUN: opt-tool --allow-unregistered-dialect --schedule-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// Ops of unknown effects stay in their order, and so do calls: %b and %c may not come before %a.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT:  %a = "other.op"
// CHECK-NEXT:  %b = "other.op"
// CHECK-NEXT:  %c = "other.op"
// CHECK-NEXT:  "other.print"
// CHECK-NEXT:  %d = func.call
// CHECK-NEXT:  %y =
// REMARK: refuses.mlir:{{[0-9]+}}:1: remark: func.func: ops keep their order: none is known that needs less
func.func @effects(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "other.op"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "other.op"(%x) : (tensor<16xf32>) -> tensor<256xf32>
  %c = "other.op"(%b) : (tensor<256xf32>) -> tensor<16xf32>
  "other.print"(%c) : (tensor<16xf32>) -> ()
  %d = func.call @called(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c, %d) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @called(%x: tensor<16xf32>) -> tensor<16xf32> {
  func.return %x : tensor<16xf32>
}

// An index that an unknown op computes is computed before its readers; other ops move past.
// CHECK-LABEL: func.func @scalars(
// CHECK-NEXT:  %i = "other.index"
// CHECK-NEXT:  "other.print"(%i)
// CHECK:       %b =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
func.func @scalars(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %i = "other.index"() : () -> index
  "other.print"(%i) : (index) -> ()
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What an unknown op returns may lie in its operand, which stays as long as the result does: %f first would not help.
// CHECK-LABEL: func.func @lent(
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %f =
// CHECK-NEXT:  %y =
func.func @lent(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %f = "other.op"(%b) : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %f) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// No op is moved for nothing: both branches need the same.
// CHECK-LABEL: func.func @alike(
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %d =
// CHECK-NEXT:  %y =
func.func @alike(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<64xf32>
  %b = "dnn.opaque"(%a) {kind = "conv"} : (tensor<64xf32>) -> tensor<16xf32>
  %c = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<64xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<64xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%b, %d) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What another op wants of its regions is not known.
// CHECK-LABEL: func.func @region(
// CHECK-NEXT:  "other.region"
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
func.func @region(%x: tensor<16xf32>) {
  "other.region"() ({
    %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
    %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
    "other.end"(%a, %c) : (tensor<16xf32>, tensor<16xf32>) -> ()
  }) : () -> ()
  func.return
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// REMARK: refuses.mlir:{{[0-9]+}}:1: remark: func.func: ops keep their order: a size is not known [order]
func.func @unknown(%x: tensor<?xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<?xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<?xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// REMARK: ops keep their order: places are decided already, and they are right in this order [order]
func.func @decided(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @unreached(
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %b =
// REMARK: ops keep their order: a block is never reached, or control never leaves the function [order]
func.func @unreached(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
^unreached:
  %z = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
