// With `writable` every argument may be written that does not say otherwise. Functions elsewhere may write what they get.

// RUN: opt-tool --call-interface-pass=arguments=writable %s | filecheck %s
// RUN: opt-tool --call-interface-pass=arguments=writable --inplace-pass --verify-storage-pass %s | filecheck %s --check-prefix=GIVEN

func.func private @sink(tensor<8xf32>)
func.func private @look(tensor<8xf32> {bufferization.access = "read"})
// CHECK: func.func @poke(%x: tensor<8xf32> {dnn.donated, bufferization.access = "read-write"}, %v: f32) -> (tensor<8xf32> {dnn.tied = 0 : i32})
func.func @poke(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK: func.func @kept(%x: tensor<8xf32> {bufferization.writable = false, bufferization.access = "read"}, %v: f32) -> (tensor<8xf32> {dnn.lent = array<i32>})
func.func @kept(%x: tensor<8xf32> {bufferization.writable = false}, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK: func.func @passes(%x: tensor<8xf32> {dnn.donated, bufferization.access = "read-write"}, %y: tensor<8xf32> {bufferization.access = "read"})
// GIVEN: func.func @passes
// GIVEN: func.call @sink(%x) {dnn.donate = array<i32: 0>}
// GIVEN: func.call @look(%y) :
func.func @passes(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  func.call @sink(%x) : (tensor<8xf32>) -> ()
  func.call @look(%y) : (tensor<8xf32>) -> ()
  func.return
}
// GIVEN:      func.func @main
// GIVEN:        %p = func.call @poke(%x, %v) {dnn.inplace = array<i32: 0>}
// GIVEN-NEXT:   %k = func.call @kept(%p, %v) :
// GIVEN-NEXT:   func.call @passes(%p, %k) {dnn.donate = array<i32: 0>}
// GIVEN-NEXT:   func.call @sink(%k) :
func.func @main(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %p = func.call @poke(%x, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %k = func.call @kept(%p, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  func.call @passes(%p, %k) : (tensor<8xf32>, tensor<8xf32>) -> ()
  func.call @sink(%k) : (tensor<8xf32>) -> ()
  func.return %k : tensor<8xf32>
}
