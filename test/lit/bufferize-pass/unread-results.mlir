// An op whose result is only computed over, by ops that read nothing of it, does nothing: they are computed over what
// it was computed over. A result of which one op reads anything stays.
//
// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s

// The loop begins with %x as it was, and the second fill needs the memory of %x alone.
// CHECK-LABEL: func.func @written_for_nothing
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.store
// CHECK: scf.for
// CHECK: linalg.fill ins(%v : f32) outs(%x :
// CHECK: linalg.fill ins(%w : f32) outs(%x :
// CHECK-NEXT: func.return %x
func.func @written_for_nothing(%x: tensor<?xf32>, %n: index, %v: f32, %w: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.insert %v into %x[%c0] : tensor<?xf32>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %f = %v) -> (tensor<?xf32>, f32) {
    %o = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    %e = tensor.extract %o[%c0] : tensor<?xf32>
    scf.yield %o, %e : tensor<?xf32>, f32
  }
  %b = linalg.fill ins(%w : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  func.return %b, %s : tensor<?xf32>, f32
}

// The second generic reads one element of what the insertion made.
// CHECK-LABEL: func.func @read
// CHECK: memref.store %v, %x
// CHECK-NEXT: memref.load %x
// CHECK: linalg.fill
func.func @read(%x: tensor<?xf32>, %v: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = tensor.insert %v into %x[%c0] : tensor<?xf32>
  %e = tensor.extract %a[%c0] : tensor<?xf32>
  %b = linalg.fill ins(%v : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  func.return %b, %e : tensor<?xf32>, f32
}

// The output leaves every second element of what was there.
// CHECK-LABEL: func.func @half_covered
// CHECK: memref.store %v, %x
// CHECK-NEXT: linalg.generic
func.func @half_covered(%x: tensor<8xf32>, %y: tensor<4xf32>, %v: f32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %a = tensor.insert %v into %x[%c1] : tensor<8xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]} ins(%y : tensor<4xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  func.return %b : tensor<8xf32>
}
