// Loops that carry slices of what they are given carry offsets and sizes: the slices are views of one tensor.

// RUN: opt-tool --bufferize-pass=arguments=writable,unproved=error --split-input-file %s | filecheck %s

// CHECK-LABEL: @shrinks(
// CHECK: [[SIZE:%.*]] = memref.dim %t
// CHECK: [[ENDS:%.*]], [[LEFT:%.*]] = scf.for {{.*}} iter_args([[AT:%.*]] = {{.*}}, [[N:%.*]] = [[SIZE]]) -> (index, index)
// CHECK-NEXT: memref.subview %t{{\[}}[[AT]]] {{\[}}[[N]]] [1]
// CHECK: [[NEXT:%.*]] = arith.addi [[AT]],
// CHECK: scf.yield [[NEXT]],
// CHECK-NOT: memref.copy
// CHECK: memref.subview %t{{\[}}[[ENDS]]] {{\[}}[[LEFT]]] [1]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @shrinks(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %a[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// Beside another value that the loop carries, through several slices of rows of known size.
// CHECK-LABEL: @sums(
// CHECK: scf.for {{.*}} -> (f32, index, index)
// CHECK: memref.subview %t[{{.*}}, 0] [{{.*}}, 8] [1, 1]
// CHECK: memref.load
// CHECK-NOT: memref.copy
// CHECK: return
func.func @sums(%t: tensor<?x8xf32>, %z: f32, %n: index, %k: index) -> (tensor<?x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %z) -> (tensor<?x8xf32>, f32) {
    %x = tensor.extract %a[%c0, %i] : tensor<?x8xf32>
    %y = arith.addf %x, %b : f32
    %d = tensor.dim %a, %c0 : tensor<?x8xf32>
    %m = arith.subi %d, %c1 : index
    %p = tensor.extract_slice %a[%c1, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    %q = tensor.extract_slice %p[0, 0] [%k, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
    scf.yield %q, %y : tensor<?x8xf32>, f32
  }
  func.return %r, %s : tensor<?x8xf32>, f32
}

// -----

// A slice of what is computed in another size is none of what the loop begins with.
// CHECK-LABEL: @computes(
// CHECK: scf.for {{.*}} -> (memref<
// CHECK: memref.dealloc
// CHECK: return
func.func @computes(%t: tensor<?xf32>, %n: index, %k: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(%k) : tensor<?xf32>
    %x = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %m = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// -----

// What is changed first is changed in the tensor that the loop begins with.
// CHECK-LABEL: @writes(
// CHECK: [[SIZE:%.*]] = memref.dim %t
// CHECK: scf.for {{.*}} iter_args([[AT:%.*]] = {{.*}}, [[N:%.*]] = [[SIZE]]) -> (index, index)
// CHECK-NEXT: [[PART:%.*]] = memref.subview %t{{\[}}[[AT]]] {{\[}}[[N]]] [1]
// CHECK-NEXT: memref.store %v, [[PART]]
// CHECK-NOT: memref.copy
// CHECK: memref.subview %t
// CHECK-NOT: memref.copy
// CHECK: return
func.func @writes(%t: tensor<?xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %w = tensor.insert %v into %a[%c0] : tensor<?xf32>
    %d = tensor.dim %w, %c0 : tensor<?xf32>
    %m = arith.subi %d, %c1 : index
    %s = tensor.extract_slice %w[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
