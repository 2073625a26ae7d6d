// Ops are moved where that makes the arena smaller; what the passes behind it do is right in the new order.

// RUN: opt-tool --schedule-pass %s | filecheck %s
// RUN: opt-tool --schedule-pass --schedule-pass %s | filecheck %s
// RUN: opt-tool --schedule-pass --inplace-pass --memory-plan-pass --verify-storage-pass %s | filecheck %s --check-prefix=ARENA
// RUN: opt-tool --inplace-pass --memory-plan-pass %s | filecheck %s --check-prefix=GIVEN
// RUN: xdsl-opt -p schedule-pass %s | filecheck %s
// RUN: opt-tool --schedule-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:{{[0-9]+}}:1: remark: func.func: ops are moved: the arena has 1,088 bytes, in the order they had 1,152

// The branch that needs more on its way goes first.
// CHECK-LABEL: func.func @branches(
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %y =
// ARENA-LABEL: func.func @branches(
// ARENA-SAME:  dnn.arena_bytes = 1088
// GIVEN-LABEL: func.func @branches(
// GIVEN-SAME:  dnn.arena_bytes = 1152
func.func @branches(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What is written over an operand takes nothing: %t costs no more than %b alone, and so its branch comes first; without,
// it would need twice as much beside %a in any order.
// CHECK-LABEL: func.func @inplace(
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %t =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %y =
// ARENA-LABEL: func.func @inplace(
// ARENA-SAME:  dnn.arena_bytes = 1088
// GIVEN-LABEL: func.func @inplace(
// GIVEN-SAME:  dnn.arena_bytes = 1152
func.func @inplace(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %t = "dnn.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%t) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A view takes no memory and keeps what it is a view of: %c, which reads one, frees %b. Constants take none either, and
// go with the op that they stand in front of.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %v =
// CHECK-NEXT:  %k =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %y =
// ARENA-LABEL: func.func @views(
// ARENA-SAME:  dnn.arena_bytes = 1088
// GIVEN-LABEL: func.func @views(
// GIVEN-SAME:  dnn.arena_bytes = 1152
func.func @views(%x: tensor<16xf32>) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %v = "dnn.slice"(%b) {dim = 0 : i64, start = 0 : i64, end = 16 : i64} : (tensor<256xf32>) -> tensor<16xf32>
  %k = "dnn.constant"() {value = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %c = "dnn.opaque"(%v, %k) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Every block by itself: the body of a loop here. Its slot is there all the time, whatever the order.
// CHECK-LABEL: func.func @loop(
// CHECK:       scf.for
// CHECK-NEXT:  %b =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %y =
// ARENA-LABEL: func.func @loop(
// GIVEN-LABEL: func.func @loop(
func.func @loop(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (tensor<16xf32>) {
    %a = "dnn.opaque"(%s) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
    %b = "dnn.opaque"(%s) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
    %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
    %y = "dnn.opaque"(%a, %c) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    scf.yield %y : tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// What is in a branch is needed while the branch runs: the op with regions counts with it, and comes before %a. A value
// that only an arm reads goes there.
// CHECK-LABEL: func.func @arm(
// CHECK-NEXT:  %r = scf.if
// CHECK:       %a =
// CHECK-NEXT:  %y =
func.func @arm(%x: tensor<16xf32>, %p: i1) -> tensor<4xf32> {
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %r = scf.if %p -> (tensor<16xf32>) {
    %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
    %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
    scf.yield %c : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  %y = "dnn.opaque"(%a, %r) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The memory of results and arguments is not the arena's: %r, larger than all others, counts nothing wherever it goes,
// and neither does %d, which is written over memory that is given away.
// CHECK-LABEL: func.func @outside(
// CHECK:       %b =
// CHECK-NEXT:  %c =
// CHECK-NEXT:  %a =
// CHECK-NEXT:  %y =
// ARENA-LABEL: func.func @outside(
// ARENA-SAME:  dnn.arena_bytes = 1088
func.func @outside(%x: tensor<16xf32>, %g: tensor<16xf32> {dnn.donated}) -> (tensor<4xf32>, tensor<4096xf32>) {
  %r = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<4096xf32>
  %d = "dnn.tanh"(%g) : (tensor<16xf32>) -> tensor<16xf32>
  %a = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.opaque"(%x) {kind = "conv"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "dnn.opaque"(%b) {kind = "conv"} : (tensor<256xf32>) -> tensor<16xf32>
  %y = "dnn.opaque"(%a, %c, %d) {kind = "conv"} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  func.return %y, %r : tensor<4xf32>, tensor<4096xf32>
}
