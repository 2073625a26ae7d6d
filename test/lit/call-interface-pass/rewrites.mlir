// What functions do to their arguments, and where their results are; calls then have results on operands.

// RUN: opt-tool --call-interface-pass %s | filecheck %s
// RUN: opt-tool --call-interface-pass --inplace-pass --verify-storage-pass %s | filecheck %s --check-prefix=DECIDED
// RUN: opt-tool --call-interface-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK:      result 0 of @poke is returned in the memory of %x, which the function may write
// REMARK-NEXT: result 0 of @half is returned in the memory of %x, which the function only reads
// REMARK-NEXT: result 0 of @either is returned in the memory of %x or %y, which the function only reads
// REMARK-NEXT: result 0 of @twice is returned in new memory
// REMARK-NEXT: result 0 of @swapped is returned in the memory of %y, which the function may write
// REMARK-NEXT: result 1 of @swapped is returned in the memory of %x, which the function may write

// CHECK:      func.func private @poke(%x: tensor<8xf32> {dnn.donated, bufferization.access = "read-write"}, %v: f32)
// CHECK-SAME:   -> (tensor<8xf32> {dnn.tied = 0 : i32})
func.func private @poke(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK:      func.func private @half(%x: tensor<8xf32> {bufferization.access = "read"})
// CHECK-SAME:   -> (tensor<4xf32> {dnn.lent = array<i32: 0>})
func.func private @half(%x: tensor<8xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// CHECK:      func.func private @either(%x: tensor<8xf32> {bufferization.access = "read"}, %y: tensor<8xf32> {bufferization.access = "read"}
// CHECK-SAME:   -> (tensor<8xf32> {dnn.lent = array<i32: 0, 1>})
func.func private @either(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = arith.select %c, %x, %y : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK:      func.func private @twice(%x: tensor<8xf32> {bufferization.access = "read"})
// CHECK-SAME:   -> (tensor<8xf32> {dnn.lent = array<i32>})
func.func private @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.addf %x, %x : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK:      func.func private @swapped
// CHECK-SAME:   -> (tensor<8xf32> {dnn.tied = 1 : i32}, tensor<8xf32> {dnn.tied = 0 : i32})
func.func private @swapped(%x: tensor<8xf32>, %y: tensor<8xf32>, %v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c1 = arith.constant 1 : index
  %r = tensor.insert %v into %x[%c1] : tensor<8xf32>
  %s = tensor.insert %v into %y[%c1] : tensor<8xf32>
  func.return %s, %r : tensor<8xf32>, tensor<8xf32>
}
func.func private @same(%x: tensor<8xf32>) -> tensor<8xf32> {
  func.return %x : tensor<8xf32>
}

// The result of a call that is its operand is replaced; a tied result lies over its operand at the last use alone.
// CHECK:      func.func @main(%a: tensor<8xf32> {bufferization.access = "read"}
// CHECK:        %t = func.call @twice(%a)
// CHECK-NEXT:   %i = func.call @same(%t)
// CHECK-NEXT:   %p = func.call @poke(%t, %v)
// DECIDED:      func.func @main
// DECIDED:        %p = func.call @poke(%t, %v) {dnn.inplace = array<i32: 0>}
// DECIDED-NEXT:   %q = func.call @poke(%p, %v) :
// DECIDED-NEXT:   %s, %s_1 = func.call @swapped(%p, %q, %v) {dnn.inplace = array<i32: 1, 0>}
func.func @main(%a: tensor<8xf32>, %v: f32, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %t = func.call @twice(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %i = func.call @same(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %p = func.call @poke(%i, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %q = func.call @poke(%p, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %s:2 = func.call @swapped(%p, %q, %v) : (tensor<8xf32>, tensor<8xf32>, f32) -> (tensor<8xf32>, tensor<8xf32>)
  %e = func.call @either(%s#0, %s#1, %c) : (tensor<8xf32>, tensor<8xf32>, i1) -> tensor<8xf32>
  %h = func.call @half(%a) : (tensor<8xf32>) -> tensor<4xf32>
  func.return %s#0, %e, %h : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}
