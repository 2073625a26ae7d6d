// A call that costs copies is replaced by the ops of the function, where the module copies less then.

// RUN: opt-tool --bufferize-pass=layouts=identity,arena=none,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// A result that is an argument or new memory, as the path decides, is returned as it is, and not copied.
// CHECK-NOT: @transposes
// CHECK-LABEL: @twice(
// CHECK-NOT: func.call
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @transposes(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %t : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}
func.func @twice(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %r = func.call @transposes(%a, %n) : (tensor<8x8xf32>, index) -> tensor<8x8xf32>
  %s = func.call @transposes(%r, %n) : (tensor<8x8xf32>, index) -> tensor<8x8xf32>
  func.return %s : tensor<8x8xf32>
}

// -----

// A function that others may call stays, and copies nothing where no call of the module leads to it.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: memref.copy
// CHECK-LABEL: @of_public(
// CHECK-NOT: func.call
// CHECK-NOT: memref.copy
// CHECK: return
func.func @transposed(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %r = scf.if %c -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %t : tensor<8x8xf32>
  } else {
    scf.yield %a : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}
func.func @of_public(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %r = func.call @transposed(%a, %c) : (tensor<8x8xf32>, i1) -> tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// -----

// A function with `no_inline` is called all the same.
// CHECK-LABEL: @kept(
// CHECK: memref.copy
// CHECK-LABEL: @of_kept(
// CHECK: func.call @kept(
func.func private @kept(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> attributes {no_inline} {
  %r = scf.if %c -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    scf.yield %t : tensor<8x8xf32>
  } else {
    scf.yield %a : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}
func.func @of_kept(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %r = func.call @kept(%a, %c) : (tensor<8x8xf32>, i1) -> tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// -----

// A call that saves no copy where it is replaced stays: the argument is read later, whatever is called.
// CHECK-LABEL: @exp(
// CHECK-LABEL: @of_exp(
// CHECK: memref.copy
// CHECK: func.call @exp(
func.func private @exp(%a: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %v into %a[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @of_exp(%a: tensor<8xf32>, %v: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = func.call @exp(%a, %v, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  func.return %a, %r : tensor<8xf32>, tensor<8xf32>
}
