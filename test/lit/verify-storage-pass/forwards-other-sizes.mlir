// A forwarded value of unknown size lies where operands of other sizes lie, if these sizes do not change.
// RUN: not opt-tool --verify-storage-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK-LABEL: @loop
// CHECK: scf.yield %b, %t
func.func @loop(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32> {dnn.donated}, %n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %t = tensor.insert %v into %a[%c0] {dnn.inplace = array<i32: 1>} : tensor<?xf32>
    scf.yield %b, %t : tensor<?xf32>, tensor<?xf32>
  } {dnn.forward = array<i32: 1, 1>}
  func.return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The size of %f is another one in each iteration.
// CHECK: [[# @LINE + 7]]:5: error: scf.yield forwards %r from bytes of the memory of %e: places of different sizes
func.func @grows(%x: tensor<?xf32> {dnn.donated}, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %e = tensor.empty(%i) : tensor<?xf32>
    %f = linalg.fill {dnn.inplace = array<i32: 1>} ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  } {dnn.forward = array<i32: 1>}
  func.return %r : tensor<?xf32>
}

// -----

// CHECK: [[# @LINE + 4]]:8: error: tensor.insert writes %t over bytes of the memory of argument 1, which is read-only
func.func @beyond(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32>, %c: i1, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = arith.select %c, %x, %y {dnn.forward = array<i32: 1>} : tensor<?xf32>
  %t = tensor.insert %v into %s[%c0] {dnn.inplace = array<i32: 1>} : tensor<?xf32>
  func.return %t : tensor<?xf32>
}

// -----

// CHECK: [[# @LINE + 5]]:8: error: tensor.extract reads %y, but bytes of the memory of argument 1 were overwritten by tensor.insert (%t)
func.func @later(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32> {dnn.donated}, %c: i1, %v: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %s = arith.select %c, %x, %y {dnn.forward = array<i32: 1>} : tensor<?xf32>
  %t = tensor.insert %v into %s[%c0] {dnn.inplace = array<i32: 1>} : tensor<?xf32>
  %w = tensor.extract %y[%c0] : tensor<?xf32>
  func.return %t, %w : tensor<?xf32>, f32
}

// -----

// The result of a select is not known to be as large as %x: its place is another one.
// CHECK-LABEL: @over_other
// CHECK: arith.select
func.func @over_other(%x: tensor<?xf32> {dnn.donated}, %y: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %s = arith.select %c, %x, %y {dnn.inplace = array<i32: 1>} : tensor<?xf32>
  func.return %s : tensor<?xf32>
}
