// Branches whose arms change one of several tensors in its place: what is passed on is the memory of that.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @nested(
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, %a[%c0]
// CHECK-NOT: memref.copy
// CHECK: memref.store %v, %b[%c1]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @nested(%a: tensor<16xf32>, %b: tensor<16xf32>, %p: i1, %q: i1, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %p -> (tensor<16xf32>) {
    %s = scf.if %q -> (tensor<16xf32>) {
      %x = tensor.insert %v into %a[%c0] : tensor<16xf32>
      scf.yield %x : tensor<16xf32>
    } else {
      %x = tensor.insert %v into %b[%c1] : tensor<16xf32>
      scf.yield %x : tensor<16xf32>
    }
    scf.yield %s : tensor<16xf32>
  } else {
    %e = tensor.empty() : tensor<16xf32>
    %x = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %x : tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// -----

// Where one of the tensors is read later, a change in its place is not for that arm alone: it is copied there.
// CHECK-LABEL: @read_later(
// CHECK: scf.if %p
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: memref.load %a[%c1]
func.func @read_later(%a: tensor<16xf32>, %b: tensor<16xf32>, %p: i1, %v: f32) -> (tensor<16xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %p -> (tensor<16xf32>) {
    %x = tensor.insert %v into %a[%c0] : tensor<16xf32>
    scf.yield %x : tensor<16xf32>
  } else {
    %x = tensor.insert %v into %b[%c1] : tensor<16xf32>
    scf.yield %x : tensor<16xf32>
  }
  %y = tensor.extract %a[%c1] : tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// -----

// What an iteration before passed on may be either tensor: the change of one is a change of the other's memory.
// CHECK-LABEL: @carried(
// CHECK: scf.for
// CHECK: memref.copy
func.func @carried(%a: tensor<16xf32>, %b: tensor<16xf32>, %n: index, %p: i1, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<16xf32>) {
    %y = scf.if %p -> (tensor<16xf32>) {
      %u = tensor.insert %v into %x[%c0] : tensor<16xf32>
      scf.yield %u : tensor<16xf32>
    } else {
      %u = tensor.insert %v into %b[%c1] : tensor<16xf32>
      scf.yield %u : tensor<16xf32>
    }
    scf.yield %y : tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// -----

// Parts of tensors of several ranks change: what memory of one rank holds is no value of another.
// CHECK-LABEL: @other_ranks(
// CHECK: func.return
func.func @other_ranks(%a: tensor<12xf32>, %m: tensor<3x4xf32>, %v: f32, %i: index, %c: i1) -> (tensor<3x4xf32>, tensor<12xf32>) {
  %r:2 = scf.if %c -> (tensor<3x4xf32>, tensor<12xf32>) {
    %x = tensor.insert %v into %m[%i, %i] : tensor<3x4xf32>
    %y = tensor.insert %v into %a[%i] : tensor<12xf32>
    scf.yield %x, %y : tensor<3x4xf32>, tensor<12xf32>
  } else {
    scf.yield %m, %a : tensor<3x4xf32>, tensor<12xf32>
  }
  func.return %r#0, %r#1 : tensor<3x4xf32>, tensor<12xf32>
}
