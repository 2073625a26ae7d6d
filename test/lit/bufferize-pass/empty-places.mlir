// A tensor without contents is made before a loop. The fill could be computed in it, and the insertion could not be
// computed over the fill then, as it is in a part that changes with the iterations: it would begin as a copy. Both have
// the same score. The fill and the insertion are computed in the part.
//
// RUN: opt-tool --bufferize-pass %s | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: %[[PART:.*]] = memref.subview %o[%i] [1] [1]
// CHECK-NEXT: linalg.fill ins(%v : f32) outs(%[[PART]] :
// CHECK-NEXT: memref.store %w, %[[PART]]
// CHECK: func.return %o
func.func @main(%v: f32, %w: f32, %n: index, %o: tensor<320xf32> {dnn.donated}) -> tensor<320xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %o) -> (tensor<320xf32>) {
    %fill = linalg.fill ins(%v : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %inserted = tensor.insert %w into %fill[%c0] : tensor<1xf32>
    %s = tensor.insert_slice %inserted into %t[%i] [1] [1] : tensor<1xf32> into tensor<320xf32>
    scf.yield %s : tensor<320xf32>
  }
  func.return %r : tensor<320xf32>
}
