// Memory of the function that a result of a branch or of the function may be, and memory that a call returned.

// RUN: opt-tool --inplace-pass=forward=true --bufferize-pass=layouts=identity %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity %s | filecheck %s --check-prefix=CALL
// RUN: opt-tool --inplace-pass=forward=true --bufferize-pass=results=out,layouts=identity,unproved=error %s | filecheck %s --check-prefix=CARRIED

func.func @reads(%p: tensor<?xf32>, %i: index) -> f32 {
  %v = tensor.extract %p[%i] : tensor<?xf32>
  func.return %v : f32
}

// No op reads the result of the branch, so that it ends with the branch, as what it may be does: that is given back first.
// CHECK-LABEL: @unread(
// CHECK: %e = memref.alloc(%n)
// CHECK: %r = scf.if
// CHECK: "memref.extract_aligned_pointer_as_index"(%e)
// CHECK-NEXT: "memref.extract_aligned_pointer_as_index"(%r)
// CHECK-NEXT: arith.cmpi ne
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc %e
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %r
func.func @unread(%x: tensor<?xf32>, %n: index, %i: index, %v: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = "scf.index_switch"(%i) <{cases = array<i64: 0>}> ({
    %y = arith.addf %x, %f : tensor<?xf32>
    %u = func.call @reads(%x, %i) : (tensor<?xf32>, index) -> f32
    "scf.yield"(%y) : (tensor<?xf32>) -> ()
  }, {
    "scf.yield"(%f) : (tensor<?xf32>) -> ()
  }) : (index) -> tensor<?xf32>
  func.return %x : tensor<?xf32>
}

func.func @new(%p: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %v into %p[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// What a call returned is the result on one path, and is given back on the other.
// CALL-LABEL: @of_a_call(
// CALL: %n = func.call @new
// CALL: %r = scf.if %c
// CALL-NOT: memref.copy
// CALL: [[OTHER:%.*]] = arith.cmpi ne
// CALL-NEXT: scf.if [[OTHER]] {
// CALL-NEXT: memref.dealloc %n
// CALL: func.return %r
func.func @of_a_call(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: i1, %v: f32, %i: index) -> tensor<8xf32> {
  %n = func.call @new(%a, %v, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %n : tensor<8xf32>
  } else {
    scf.yield %b : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

func.func @either(%p: tensor<8xf32>, %q: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %p : tensor<8xf32>
  } else {
    scf.yield %q : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// What a loop carries is given back first, and then what may be that: the first turn has memory from outside of the loop.
// CARRIED-LABEL: @branch_in_loop(
// CARRIED: iter_args(%s = %first)
// CARRIED: memref.dealloc %s
// CARRIED-NEXT: "memref.extract_aligned_pointer_as_index"(%t)
// CARRIED-NEXT: "memref.extract_aligned_pointer_as_index"(%s)
// CARRIED-NEXT: [[NE:%.*]] = arith.cmpi ne
// CARRIED-NEXT: scf.if [[NE]] {
// CARRIED-NEXT: memref.dealloc %t
func.func @branch_in_loop(%a: tensor<8xf32>, %v: f32, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tensor.insert %v into %a[%c0] : tensor<8xf32>
  %l = scf.for %k = %c0 to %n step %c1 iter_args(%s = %first) -> (tensor<8xf32>) {
    %t = scf.if %c -> (tensor<8xf32>) {
      %u = math.exp %s : tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    } else {
      scf.yield %s : tensor<8xf32>
    }
    %w = func.call @either(%a, %t, %c) : (tensor<8xf32>, tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  %z = tensor.extract %l[%c1] : tensor<8xf32>
  func.return %z : f32
}

// A loop that is passed a part of an argument on one path leaves the argument as it is on the other one.
// CARRIED-LABEL: @passes_a_part(
// CARRIED: memref.subview %u[0] [4] [1]
func.func @passes_a_part(%u: tensor<?xf32> {dnn.donated}, %n: index, %c: i1) -> (tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.extract_slice %u[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
  %w = tensor.insert_slice %p into %u[8] [4] [1] : tensor<4xf32> into tensor<?xf32>
  %t = scf.if %c -> (tensor<?xf32>) {
    %l = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p) -> (tensor<4xf32>) {
      scf.yield %s : tensor<4xf32>
    }
    scf.yield %u : tensor<?xf32>
  } else {
    scf.yield %w : tensor<?xf32>
  }
  func.return %p, %w : tensor<4xf32>, tensor<?xf32>
}
