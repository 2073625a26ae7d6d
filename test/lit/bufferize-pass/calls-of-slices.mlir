// Functions that are given slices write them, and functions that only view are views in their callers.

// RUN: opt-tool --bufferize-pass=arena=none,arguments=writable,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=none,arguments=writable,layouts=identity,unproved=error --split-input-file %s | filecheck %s --check-prefix=ROWS

// The row is put back where it was taken: the function may write it, and not %w, which is needed again.
// CHECK-LABEL: @adds(
// CHECK: linalg.add ins(%row, %w : {{.*}}) outs(%row :
// CHECK-NEXT: func.return %row
// CHECK-LABEL: @rows(
// CHECK: scf.for [[I:%.*]] =
// CHECK-NEXT: [[ROW:%.*]] = memref.subview %x{{\[}}[[I]], 0] [1, 8] [1, 1]
// CHECK-NEXT: func.call @adds([[ROW]], %w)
// CHECK-NOT: memref.copy
// CHECK: func.return %x
// An argument that has to be row-major from its first byte on is no slice of another one.
// ROWS-LABEL: @rows(
// ROWS: memref.copy
func.func private @adds(%row: tensor<1x8xf32>, %w: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %s = linalg.add ins(%row, %w : tensor<1x8xf32>, tensor<1x8xf32>) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
  func.return %s : tensor<1x8xf32>
}
func.func @rows(%x: tensor<16x8xf32>, %w: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %x) -> (tensor<16x8xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<1x8xf32>
    %s = func.call @adds(%row, %w) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %u = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
    scf.yield %u : tensor<16x8xf32>
  }
  func.return %r : tensor<16x8xf32>
}

// -----

// The slice is read after the call, and may not be written: the function makes its result in new memory.
// CHECK-LABEL: @exp4(
// CHECK: linalg.exp ins(%p : {{.*}}) outs([[NEW:%.*]] :
// CHECK-NEXT: func.return [[NEW]]
// CHECK-LABEL: @kept(
// CHECK: [[PART:%.*]] = memref.subview %x[%i] [4] [1]
// CHECK: {{.*}} = func.call @exp4([[PART]])
// CHECK-NEXT: linalg.add ins({{.*}}, [[PART]] :
func.func private @exp4(%p: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%p : tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @kept(%x: tensor<16xf32> {bufferization.writable = false}, %o: tensor<4xf32>, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %x[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %q = func.call @exp4(%o) : (tensor<4xf32>) -> tensor<4xf32>
  %t = func.call @exp4(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.add ins(%q, %s : tensor<4xf32>, tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// What the function lends is written: the caller views the operand itself. The call does nothing else, and goes.
// CHECK-LABEL: @writes_lent(
// CHECK-NEXT: [[PART:%.*]] = memref.subview %x[0] [8] [1]
// CHECK-NEXT: memref.store %v, [[PART]][%i]
// CHECK-NEXT: func.return %x
func.func private @head(%y: tensor<16xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %y[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  func.return %s : tensor<8xf32>
}
func.func @writes_lent(%x: tensor<16xf32>, %v: f32, %i: index) -> tensor<16xf32> {
  %q = func.call @head(%x) : (tensor<16xf32>) -> tensor<8xf32>
  %r = tensor.insert %v into %q[%i] : tensor<8xf32>
  %t = tensor.insert_slice %r into %x[0] [8] [1] : tensor<8xf32> into tensor<16xf32>
  func.return %t : tensor<16xf32>
}

// -----

// One of two operands, of which the call returns a number too: the call stays for that.
// CHECK-LABEL: @picks(
// CHECK-NEXT: [[ONE:%.*]] = arith.select %c, %x, %y
// CHECK-NEXT: {{.*}} = func.call @pick(
// CHECK-NEXT: memref.store %v, [[ONE]][%i]
// CHECK-NOT: memref.copy
// CHECK: func.return [[ONE]]
func.func private @pick(%x: tensor<16xf32>, %y: tensor<16xf32>, %c: i1, %i: index) -> (tensor<16xf32>, f32) {
  %s = arith.select %c, %x, %y : tensor<16xf32>
  %e = tensor.extract %s[%i] : tensor<16xf32>
  func.return %s, %e : tensor<16xf32>, f32
}
func.func @picks(%x: tensor<16xf32>, %y: tensor<16xf32>, %c: i1, %v: f32, %i: index) -> (tensor<16xf32>, f32) {
  %q, %e = func.call @pick(%x, %y, %c, %i) : (tensor<16xf32>, tensor<16xf32>, i1, index) -> (tensor<16xf32>, f32)
  %r = tensor.insert %v into %q[%i] : tensor<16xf32>
  func.return %r, %e : tensor<16xf32>, f32
}

// -----

// Views through two calls, whose axes the caller joins.
// CHECK-LABEL: @joins(
// CHECK-NEXT: [[TWO:%.*]] = memref.subview %x[2, 0] [2, 4] [1, 1]
// CHECK-NEXT: [[FLAT:%.*]] = memref.collapse_shape [[TWO]]
// CHECK-NEXT: linalg.add ins([[FLAT]], %o
func.func private @rows_of(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %t = tensor.extract_slice %x[2, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  func.return %t : tensor<2x4xf32>
}
func.func private @again(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %t = func.call @rows_of(%x) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return %t : tensor<2x4xf32>
}
func.func @joins(%x: tensor<4x4xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %u = func.call @again(%x) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %c = tensor.collapse_shape %u [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %e = linalg.add ins(%c, %o : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  func.return %e : tensor<8xf32>
}
