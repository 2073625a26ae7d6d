// What is not promised: of functions that others may call, that call themselves, or that have decisions.

// RUN: opt-tool --call-interface-pass %s | filecheck %s

// A function that is not private does not write its argument: what calls it from elsewhere would not know.
// CHECK: func.func @public(%x: tensor<8xf32> {bufferization.access = "read"}, %v: f32) -> (tensor<8xf32> {dnn.lent = array<i32>})
func.func @public(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// Nor does one that something else than calls mentions.
// CHECK: func.func private @named(%x: tensor<8xf32> {bufferization.access = "read"}, %v: f32) -> (tensor<8xf32> {dnn.lent = array<i32>})
func.func private @named(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// Of functions that call each other the worst is assumed.
// CHECK: func.func private @even(%x: tensor<8xf32> {bufferization.access = "read-write"}, %c: i1) -> tensor<8xf32>
func.func private @even(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = func.call @odd(%x, %c) : (tensor<8xf32>, i1) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK: func.func private @odd(%x: tensor<8xf32> {bufferization.access = "read-write"}, %c: i1) -> tensor<8xf32>
func.func private @odd(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = func.call @even(%x, %c) : (tensor<8xf32>, i1) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// Decisions stay what they are, and so do the promises that they were made under.
// CHECK: func.func private @decided(%x: tensor<8xf32> {bufferization.access = "read"}) -> tensor<8xf32>
func.func private @decided(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = math.exp %x : tensor<8xf32>
  %r = math.exp %a {dnn.inplace = array<i32: 0>} : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %v: f32, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  "other.use"() {symbol = @named} : () -> ()
  %p = func.call @public(%x, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %n = func.call @named(%p, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  %e = func.call @even(%n, %c) : (tensor<8xf32>, i1) -> tensor<8xf32>
  %d = func.call @decided(%e) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %e, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
