// Loops, blocks and selects carry the memrefs of values that lie where the path puts them: no byte is copied.

// RUN: opt-tool --bufferize-pass %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arena=none %s | filecheck %s

// CHECK-NOT: memref.copy
// CHECK-LABEL: @swaps(%x: memref<8xf32, strided<[?], offset: ?>>, %y: memref<8xf32, strided<[?], offset: ?>>
// CHECK: scf.for {{.*}} iter_args(%a = %x, %b = %y) -> (memref<8xf32, strided<[?], offset: ?>>, memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: memref.store %v, %a
// CHECK-NEXT: scf.yield %b, %a :
func.func @swaps(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32, %n: index) -> f32 {
  %one = arith.constant 1 : index
  %r, %s = scf.for %i = %one to %n step %one iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %c = tensor.insert %v into %a[%i] : tensor<8xf32>
    scf.yield %b, %c : tensor<8xf32>, tensor<8xf32>
  }
  %e = tensor.extract %r[%one] : tensor<8xf32>
  func.return %e : f32
}

// A memref that an argument is returns as it is.
// CHECK-LABEL: @selected
// CHECK: [[S:%.*]] = arith.select %c, %x, %y : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT: memref.store %v, [[S]]
// CHECK-NEXT: func.return [[S]]
func.func @selected(%x: tensor<8xf32> {dnn.donated}, %y: tensor<8xf32> {dnn.donated}, %v: f32, %c: i1) -> tensor<8xf32> {
  %one = arith.constant 1 : index
  %s = arith.select %c, %x, %y : tensor<8xf32>
  %w = tensor.insert %v into %s[%one] : tensor<8xf32>
  func.return %w : tensor<8xf32>
}

// CHECK-LABEL: @blocks
// CHECK: cf.cond_br %c, ^[[B:[a-z0-9]+]](%x : memref<8xf32, strided<[?], offset: ?>>)
// CHECK: ^[[B]](%p: memref<8xf32, strided<[?], offset: ?>>):
// CHECK-NEXT: memref.load %p
func.func @blocks(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> f32 {
  %one = arith.constant 1 : index
  cf.cond_br %c, ^join(%x : tensor<8xf32>), ^other
^join(%p: tensor<8xf32>):
  %e = tensor.extract %p[%one] : tensor<8xf32>
  func.return %e : f32
^other:
  cf.br ^join(%y : tensor<8xf32>)
}
