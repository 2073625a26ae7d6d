// What stays a copy is a memref.copy, and a remark says why.

// RUN: opt-tool --bufferize-pass %s --remarks -o /dev/null 2>&1 | filecheck %s
// RUN: opt-tool --bufferize-pass=arguments=writable %s | filecheck %s --check-prefix=WRITABLE
// RUN: opt-tool --bufferize-pass %s | filecheck %s --check-prefix=FORM

// The argument is the caller's.
// CHECK: refuses.mlir:[[# @LINE + 6]]:8: remark: tensor.insert (y): %x is copied into %y, 32 bytes: {{.*}} [program-input]
// FORM-LABEL: @read_only
// FORM: "memref.copy"(%x
// WRITABLE-LABEL: @read_only
// WRITABLE-NOT: memref.copy
func.func @read_only(%x: tensor<8xf32>, %v: f32, %i: index) -> tensor<8xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// This one is the caller's under either rule.
// CHECK: refuses.mlir:[[# @LINE + 4]]:8: remark: tensor.insert (y): %x is copied into %y
// WRITABLE-LABEL: @kept
// WRITABLE: "memref.copy"(%x
func.func @kept(%x: tensor<8xf32> {bufferization.writable = false}, %v: f32, %i: index) -> tensor<8xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// The old value is read later.
// CHECK: refuses.mlir:[[# @LINE + 4]]:8: remark: tensor.insert (y): %x is copied into %y, 32 bytes: {{.*}} [used-later]
// FORM-LABEL: @read_later
// FORM: "memref.copy"(%x
func.func @read_later(%x: tensor<8xf32> {dnn.donated}, %v: f32, %i: index) -> (tensor<8xf32>, f32) {
  %y = tensor.insert %v into %x[%i] : tensor<8xf32>
  %o = tensor.extract %x[%i] : tensor<8xf32>
  func.return %y, %o : tensor<8xf32>, f32
}
