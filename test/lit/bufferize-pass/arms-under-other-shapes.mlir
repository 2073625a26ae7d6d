// What an arm of a branch writes is what the branch passes on, seen under another shape than the memory has.
// RUN: opt-tool --bufferize-pass=layouts=identity,unproved=error %s | filecheck %s

// CHECK-LABEL: func.func @written_in_one_arm
// CHECK: %d = memref.collapse_shape %m
// CHECK: scf.if %c
// CHECK-NEXT: linalg.copy ins(%x : memref<?xf32>) outs(%d : memref<12xf32>)
// CHECK-NOT: memref.copy
func.func @written_in_one_arm(%m: tensor<3x4xf32> {dnn.donated}, %x: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %t = tensor.cast %m : tensor<3x4xf32> to tensor<?x4xf32>
  %d = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %r = scf.if %c -> (tensor<?xf32>) {
    %o = linalg.copy ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %o : tensor<?xf32>
  } else {
    scf.yield %d : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
