// Arms of which one knows more of a size than the other: a type that says the size says it of both.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=results=out,unproved=error --split-input-file %s | filecheck %s --check-prefix=OUT

// The branch has 12 elements on both paths. %u has 12 where the cast is reached, and that is all that is known of it.
// CHECK-LABEL: @cast_in_arm(
// CHECK: scf.if %c {
// CHECK-NEXT: %x = "memref.cast"(%u)
// CHECK-NEXT: "memref.copy"(%x, %e)
// CHECK-NOT: memref.copy
// CHECK: func.return %e
// OUT-LABEL: @cast_in_arm(
// OUT: linalg.fill ins(%v : i64) outs(%r :
// OUT: scf.if %c {
// OUT-NEXT: %x = "memref.cast"(%u)
// OUT-NEXT: "memref.copy"(%x, %r)
// OUT-NOT: memref.copy
// OUT: func.return
func.func @cast_in_arm(%u: tensor<?xi64>, %c: i1, %v: i64) -> tensor<12xi64> {
  %e = tensor.empty() : tensor<12xi64>
  %w = linalg.fill ins(%v : i64) outs(%e : tensor<12xi64>) -> tensor<12xi64>
  %r = scf.if %c -> (tensor<12xi64>) {
    %x = tensor.cast %u : tensor<?xi64> to tensor<12xi64>
    scf.yield %x : tensor<12xi64>
  } else {
    scf.yield %w : tensor<12xi64>
  }
  func.return %r : tensor<12xi64>
}

// -----

// The decisions put %filled, of an unknown size, and the branches, of 12 elements, into one storage, whose size is not
// known. Each is in memory of its own.
// CHECK-LABEL: @one_storage(
// CHECK: memref.alloc(%n) {{.*}} : memref<?xi64>
// CHECK: scf.if %d -> (memref<12xi64>) {
// CHECK: memref.alloc() {{.*}} : memref<12xi64>
// CHECK: scf.if %c -> (memref<12xi64>) {
// CHECK-NEXT: [[FILLED:%.*]] = "memref.cast"(%place) : (memref<?xi64>) -> memref<12xi64>
// CHECK: "memref.copy"([[FILLED]],
// CHECK: memref.dealloc %place : memref<?xi64>
// OUT-LABEL: @one_storage(
// OUT: memref.alloc(%n) {{.*}} : memref<?xi64>
// OUT: memref.dealloc %place : memref<?xi64>
func.func @one_storage(%a: tensor<12xi64> {dnn.donated}, %n: index, %v: i64, %c: i1, %d: i1) -> (tensor<12xi64>, tensor<12xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<12xi64>
  %all = linalg.fill ins(%v : i64) outs(%e : tensor<12xi64>) -> tensor<12xi64>
  %place = tensor.empty(%n) : tensor<?xi64>
  %filled = linalg.fill ins(%v : i64) outs(%place : tensor<?xi64>) -> tensor<?xi64>
  %r = scf.if %d -> (tensor<12xi64>) {
    %one = tensor.insert %v into %all[%c0] : tensor<12xi64>
    %left, %right = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %one, %q = %a) -> (tensor<12xi64>, tensor<12xi64>) {
      %next = tensor.insert %v into %p[%i] : tensor<12xi64>
      scf.yield %q, %next : tensor<12xi64>, tensor<12xi64>
    }
    scf.yield %one : tensor<12xi64>
  } else {
    %s = scf.if %c -> (tensor<12xi64>) {
      %known = tensor.cast %filled : tensor<?xi64> to tensor<12xi64>
      scf.yield %known : tensor<12xi64>
    } else {
      scf.yield %all : tensor<12xi64>
    }
    scf.yield %s : tensor<12xi64>
  }
  func.return %all, %r : tensor<12xi64>, tensor<12xi64>
}

// -----

// In the first arm the result has 12 elements, as %b has: what is known of its size elsewhere is that of %u.
// OUT-LABEL: @of_one_arm(
// OUT: scf.if %c {
// OUT-NEXT: linalg.copy ins(%b :
// OUT: } else {
// OUT-NEXT: "memref.copy"(%u, %q)
func.func @of_one_arm(%b: tensor<12xi64>, %u: tensor<?xi64>, %c: i1) -> tensor<?xi64> {
  %r = scf.if %c -> (tensor<?xi64>) {
    %d = tensor.cast %b : tensor<12xi64> to tensor<?xi64>
    %w = linalg.copy ins(%d : tensor<?xi64>) outs(%u : tensor<?xi64>) -> tensor<?xi64>
    scf.yield %w : tensor<?xi64>
  } else {
    scf.yield %u : tensor<?xi64>
  }
  %q = linalg.add ins(%r, %r : tensor<?xi64>, tensor<?xi64>) outs(%r : tensor<?xi64>) -> tensor<?xi64>
  func.return %q : tensor<?xi64>
}
