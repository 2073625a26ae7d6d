// A result that is returned is computed in memory of its own, not over a part of other memory, out of which it would be copied.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=layouts=identity,results=out,unproved=error --split-input-file %s | filecheck %s --check-prefix=OUT

// The decisions put %r over the slice of %p, which saves its bytes: the sum is in memory of its own all the same.
// CHECK-LABEL: @over_a_slice(
// CHECK: memref.copy
// CHECK: %s = memref.subview
// CHECK-NEXT: [[SUM:%r]] = memref.alloc()
// CHECK-NEXT: linalg.add ins(%s, %x : {{.*}}) outs([[SUM]] : memref<8xf32>)
// CHECK-NOT: memref.copy
// CHECK: func.return [[SUM]] : memref<8xf32>
// OUT-LABEL: @over_a_slice(
// OUT: memref.copy
// OUT: linalg.add ins(%s, %x : {{.*}}) outs(%r : memref<8xf32>)
// OUT-NOT: memref.copy
// OUT: func.return
func.func @over_a_slice(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %p = "tensor.pad"(%x) <{static_low = array<i64: 2>, static_high = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%i: index):
    "tensor.yield"(%v) : (f32) -> ()
  }) : (tensor<8xf32>) -> tensor<14xf32>
  %s = tensor.extract_slice %p[1] [8] [1] : tensor<14xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%s, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// Both results are apart.
// CHECK-LABEL: @two_results(
// CHECK: memref.copy
// CHECK: [[FIRST:%r]] = memref.alloc()
// CHECK-NEXT: linalg.add ins(%s, %x : {{.*}}) outs([[FIRST]] : memref<4xf32>)
// CHECK: [[SECOND:%q]] = memref.alloc()
// CHECK-NEXT: linalg.sub ins(%t, %x : {{.*}}) outs([[SECOND]] : memref<4xf32>)
// CHECK-NOT: memref.copy
// CHECK: func.return [[FIRST]], [[SECOND]]
func.func @two_results(%x: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = "tensor.pad"(%x) <{static_low = array<i64: 2>, static_high = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%i: index):
    "tensor.yield"(%v) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<10xf32>
  %s = tensor.extract_slice %p[1] [4] [1] : tensor<10xf32> to tensor<4xf32>
  %t = tensor.extract_slice %p[5] [4] [1] : tensor<10xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%s, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %q = linalg.sub ins(%t, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %q : tensor<4xf32>, tensor<4xf32>
}
