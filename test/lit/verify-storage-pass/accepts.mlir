// Plans that look bold and are right: with repair asked for, every decision stays. The last function shows that the
// checker looked: there a decision goes.

// RUN: opt-tool --verify-storage-pass=repair=true %s | filecheck %s
// RUN: opt-tool --verify-storage-pass=repair=true --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// Both arguments of the loop are the caller's to write, whichever the path puts where.
// CHECK-LABEL: func.func @swapped
// CHECK: {dnn.forward = array<i32: 1, 1>}
func.func @swapped(%p: tensor<4xf32> {dnn.donated}, %q: tensor<4xf32> {dnn.donated}, %n: index) -> tensor<4xf32> {
  %one = arith.constant 1 : index
  %r, %s = scf.for %i = %one to %n step %one iter_args(%a = %p, %b = %q) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b, %c : tensor<4xf32>, tensor<4xf32>
  } {dnn.forward = array<i32: 1, 1>}
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: "dnn.exp"(%x) {dnn.inplace = array<i32: 0>}
// CHECK-NEXT: "dnn.relu"(%a) {dnn.inplace = array<i32: 0>}
// CHECK-NEXT: "dnn.add"(%b, %b) {dnn.inplace = array<i32: 0>}
func.func @chain(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%a) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%b, %b) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// A part is overwritten while the other part is read later; the scatter then costs nothing.
// CHECK-LABEL: func.func @part
// CHECK: "dnn.neg"(%v) {dnn.inplace = array<i32: 0>}
// CHECK: "dnn.slice_scatter"(%a, %b) {{.*}}dnn.inplace = array<i32: 0>
func.func @part(%x: tensor<6xf32>) -> tensor<6xf32> {
  %a = "dnn.exp"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %v = "dnn.slice"(%a) {dim = 0 : i64, start = 0 : i64, end = 4 : i64, step = 2 : i64} : (tensor<6xf32>) -> tensor<2xf32>
  %b = "dnn.neg"(%v) {dnn.inplace = array<i32: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  %r = "dnn.slice_scatter"(%a, %b) {dim = 0 : i64, start = 0 : i64, end = 4 : i64, step = 2 : i64, dnn.inplace = array<i32: 0>} : (tensor<6xf32>, tensor<2xf32>) -> tensor<6xf32>
  func.return %r : tensor<6xf32>
}

// Columns of one result, each computed where it belongs.
// CHECK-LABEL: func.func @columns
// CHECK: "dnn.concat"(%a, %b) {{.*}}dnn.parts = array<i32: 0, 1>
func.func @columns(%x: tensor<3x2xf32>, %y: tensor<3x5xf32>) -> tensor<3x7xf32> {
  %a = "dnn.relu"(%x) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %b = "dnn.neg"(%y) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %c = "dnn.concat"(%a, %b) {axis = 1 : i64, dnn.parts = array<i32: 0, 1>} : (tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x7xf32>
  func.return %c : tensor<3x7xf32>
}

// One slot for the state of a loop, and its last value written over.
// CHECK-LABEL: func.func @loop
// CHECK: "dnn.add"(%p, %w) {dnn.inplace = array<i32: 0>}
// CHECK: } {dnn.inplace = array<i32: 3>}
// CHECK: "dnn.relu"(%r) {dnn.inplace = array<i32: 0>}
func.func @loop(%x: tensor<4xf32> {dnn.donated}, %w: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c1 = "arith.constant"() {value = 1 : index} : () -> index
  %r = "scf.for"(%c0, %n, %c1, %x) ({
  ^bb0(%i: index, %p: tensor<4xf32>):
    %q = "dnn.add"(%p, %w) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "scf.yield"(%q) : (tensor<4xf32>) -> ()
  }) {dnn.inplace = array<i32: 3>} : (index, index, index, tensor<4xf32>) -> tensor<4xf32>
  %y = "dnn.relu"(%r) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @looked
// CHECK-NEXT: "dnn.relu"(%x) : (tensor<4xf32>)
// REMARK: accepts.mlir:[[# @LINE + 3]]:8: remark: dnn.relu (a): dnn.inplace[0] of dnn.relu dropped: dnn.relu writes %a over bytes [0, 16) of the memory of argument 0, which is read-only
// REMARK-NOT: remark
func.func @looked(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
