// What loops and branches pass on several times is passed on once.

// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// Both tensors begin as the same, and each iteration exchanges them: they are always the same.
// CHECK-LABEL: @exchanged(
// CHECK: scf.for {{.*}} iter_args({{%[a-z0-9_]*}} = %c) -> (f32)
// CHECK: memref.store
// CHECK-NOT: memref.copy
// CHECK: func.return %a, %a
func.func @exchanged(%a: tensor<16xf32>, %n: index, %v: f32, %c: f32) -> (tensor<16xf32>, tensor<16xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a, %z = %c) -> (tensor<16xf32>, tensor<16xf32>, f32) {
    %w = arith.addf %z, %v : f32
    %b = tensor.insert %w into %x[%c0] : tensor<16xf32>
    scf.yield %b, %b, %w : tensor<16xf32>, tensor<16xf32>, f32
  }
  func.return %r, %s, %t : tensor<16xf32>, tensor<16xf32>, f32
}

// -----

// They begin as the same, and the first iteration makes them differ.
// CHECK-LABEL: @differ(
// CHECK: memref.copy
// CHECK: scf.for
// CHECK: return
func.func @differ(%a: tensor<16xf32>, %n: index, %v: f32) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<16xf32>, tensor<16xf32>) {
    %b = tensor.insert %v into %x[%i] : tensor<16xf32>
    scf.yield %b, %y : tensor<16xf32>, tensor<16xf32>
  }
  func.return %r, %s : tensor<16xf32>, tensor<16xf32>
}

// -----

// One is carried for another one that nothing needs.
// CHECK-LABEL: @unused(
// CHECK: scf.for {{%.*}} = %c0 to %n step %c1 {
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: func.return %a
func.func @unused(%a: tensor<16xf32>, %b: tensor<16xf32>, %n: index, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %b) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %u = tensor.insert %v into %x[%i] : tensor<16xf32>
    scf.yield %u, %x, %y : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// -----

// One is needed for the other one.
// CHECK-LABEL: @delayed(
// CHECK: scf.for {{.*}} -> (memref<16xf32>, memref<16xf32>)
func.func @delayed(%a: tensor<16xf32>, %b: tensor<16xf32>, %n: index, %v: f32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %y, %x : tensor<16xf32>, tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// -----

// The results of a branch in a loop are the same on both paths, so the loop carries one tensor.
// CHECK-LABEL: @both_arms(
// CHECK: scf.for %i = %c0 to %n step %c1 {
// CHECK: scf.if %c {
// CHECK-NOT: memref.copy
// CHECK: return %a, %a
func.func @both_arms(%a: tensor<16xf32>, %n: index, %v: f32, %c: i1) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (tensor<16xf32>, tensor<16xf32>) {
    %p, %q = scf.if %c -> (tensor<16xf32>, tensor<16xf32>) {
      %u = tensor.insert %v into %x[%i] : tensor<16xf32>
      scf.yield %u, %u : tensor<16xf32>, tensor<16xf32>
    } else {
      scf.yield %x, %x : tensor<16xf32>, tensor<16xf32>
    }
    scf.yield %p, %q : tensor<16xf32>, tensor<16xf32>
  }
  func.return %r, %s : tensor<16xf32>, tensor<16xf32>
}
