// A select by one flag of tensors that may have different sizes copies the chosen one; no loop reads both.
// RUN: opt-tool --bufferize-pass=results=out --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=results=out --remarks -o /dev/null --split-input-file %s 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: @other_sizes
// CHECK-NOT: linalg.generic
// CHECK: [[CHOSEN:%.*]] = arith.select %c, %x, %y : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT: "memref.copy"([[CHOSEN]], %r)
// REMARK: arith.select (r): %x is copied into %r
func.func @other_sizes(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %c, %x, %y : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @one_size
// CHECK: [[ONE:%.*]] = arith.select %c, %x, %y : memref<8xf32>
// CHECK-NEXT: "memref.copy"([[ONE]], %r)
func.func @one_size(%c: i1, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.select %c, %x, %y : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
