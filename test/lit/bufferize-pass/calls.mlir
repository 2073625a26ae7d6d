// Calls: results in memory of arguments, and what functions elsewhere may do to what they get.

// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arguments=writable,arena=none %s | filecheck %s

func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func private @look(tensor<8xf32> {bufferization.access = "read"})

// CHECK:      func.func @insert(%x: memref<8xf32, strided<[?], offset: ?>>, %v: f32) -> memref<8xf32, strided<[?], offset: ?>>
// CHECK-NOT:  memref.copy
// CHECK:      func.return %x
func.func @insert(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @half(%x: tensor<8xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %b = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    %a = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
// A loop hands one memref to each call; what a call returns of it is not given back.
// CHECK:      func.func @loop
// CHECK-NOT:  memref.alloc
// CHECK:      scf.for
// CHECK-NEXT:   func.call @insert(%x, %v)
// CHECK-NOT:  memref.copy
// CHECK:      %h = func.call @half(%x, %c)
// CHECK-NOT:  memref.dealloc
// CHECK:      memref.load %h
func.func @loop(%x: tensor<8xf32>, %v: f32, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<8xf32>) {
    %u = func.call @insert(%t, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %h = func.call @half(%r, %c) : (tensor<8xf32>, i1) -> tensor<4xf32>
  %e = tensor.extract %h[%c1] : tensor<4xf32>
  func.return %e : f32
}
// A result of a function elsewhere may be the copy that it got: that is given back behind the last use of the result.
// CHECK:      func.func @elsewhere(%x: memref
// CHECK:        func.call @look(%x)
// CHECK-NEXT:   [[C:%[0-9a-z_]+]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:   "memref.copy"(%x, [[C]])
// CHECK-NEXT:   [[D:%[0-9a-z_]+]] = "memref.cast"([[C]])
// CHECK-NEXT:   %r = func.call @other([[D]])
// CHECK-NOT:    memref.dealloc
// CHECK:        memref.load %r
// CHECK:        memref.dealloc [[C]]
func.func @elsewhere(%x: tensor<8xf32> {bufferization.writable = false}) -> f32 {
  %c0 = arith.constant 0 : index
  func.call @look(%x) : (tensor<8xf32>) -> ()
  %r = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.extract %r[%c0] : tensor<8xf32>
  func.return %e : f32
}
// At the last use the operand itself is given.
// CHECK:      func.func @given(%x: memref
// CHECK-NOT:    memref.alloc
// CHECK:        %r = func.call @other(%x)
func.func @given(%x: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.extract %r[%c0] : tensor<8xf32>
  func.return %e : f32
}
