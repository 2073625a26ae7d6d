// A loop that stores the same part of memory in each turn keeps what is beside that part. The border of %pad is what was
// filled before the loop, in each turn.

// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error %s | filecheck %s

// CHECK-LABEL: @padded_rows(
// CHECK: linalg.fill {{.*}} outs(%e : memref<6xf32>)
// CHECK: scf.for
// CHECK-NEXT: %s = memref.subview %x[%i, 0]
// CHECK-NEXT: [[PART:%.*]] = memref.subview %e[1] [4] [1]
// CHECK-NEXT: "memref.copy"(%s, [[PART]])
// CHECK-NOT: memref.copy
// CHECK: linalg.exp ins(%e : memref<6xf32>)
func.func @padded_rows(%x: tensor<8x4xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<6xf32>
  %pad = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %o = tensor.empty() : tensor<8x6xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %o) -> (tensor<8x6xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %p = tensor.insert_slice %s into %pad[1] [4] [1] : tensor<4xf32> into tensor<6xf32>
    %d = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<6xf32>
    %q = linalg.exp ins(%p : tensor<6xf32>) outs(%d : tensor<6xf32>) -> tensor<6xf32>
    %w = tensor.insert_slice %q into %a[%i, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<8x6xf32>
    scf.yield %w : tensor<8x6xf32>
  }
  func.return %r : tensor<8x6xf32>
}
