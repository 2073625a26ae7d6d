// What keeps its gradient, and why.

// RUN: opt-tool --accumulate-pass --remarks %s 2>&1 | filecheck %s
// CHECK: remark: dnn.momentum (u, s): its gradient has memory of its own
// RUN: opt-tool --accumulate-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK

// Nesterov and weight decay need the gradient for more.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [nesterov reads it again]
// CHECK-LABEL: @nesterov
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @nesterov(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) {nesterov = true} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [the weight decay adds the parameter to it]
// CHECK-LABEL: @decay
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @decay(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) {weight_decay = 0.1 : f32} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// The gradient has another reader.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [another op reads it, too]
// CHECK-LABEL: @read_twice
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @read_twice(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %g : tensor<4x3xf32>, tensor<4x3xf32>
}

// An argument.

// REMARK: refuses.mlir:[[# @LINE + 4]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [it is an argument]
// CHECK-LABEL: @given
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @given(%d: tensor<8x4xf32>, %g: tensor<4x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// oneDNN's gradients of weights of convolutions add to nothing.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [no kernel of dnn.conv_weights_grad adds its result to a value]
// CHECK-LABEL: @convolution
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @convolution(%d: tensor<2x4x4xf32>, %x: tensor<2x3x6xf32>, %w: tensor<4x3x3xf32>, %v: tensor<4x3x3xf32>, %lr: tensor<f32>) -> (tensor<4x3x3xf32>, tensor<4x3x3xf32>) {
  %g = "dnn.conv_weights_grad"(%x, %d) {kernel_shape = array<i64: 3>} : (tensor<2x3x6xf32>, tensor<2x4x4xf32>) -> tensor<4x3x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3x3xf32>, tensor<4x3x3xf32>, tensor<4x3x3xf32>, tensor<f32>) -> (tensor<4x3x3xf32>, tensor<4x3x3xf32>)
  func.return %u, %s : tensor<4x3x3xf32>, tensor<4x3x3xf32>
}

// A product that adds something already.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [dnn.gemm adds it to no value: it is more than a product of two matrices]
// CHECK-LABEL: @added
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @added(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x, %w) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// A sum of which one part is broadcast, and one whose part adds to nothing.

// REMARK: refuses.mlir:[[# @LINE + 7]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [dnn.add adds it to no value: an operand is broadcast]
// CHECK-LABEL: @broadcast
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @broadcast(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %p = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %row = "dnn.reduce_sum"(%x) {axes = array<i64: 0>} : (tensor<8x3xf32>) -> tensor<3xf32>
  %g = "dnn.add"(%p, %row) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// REMARK: refuses.mlir:[[# @LINE + 7]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [no kernel of dnn.tanh adds its result to a value]
// CHECK-LABEL: @part
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @part(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %p = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %t = "dnn.tanh"(%w) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %g = "dnn.add"(%p, %t) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// Rows that are added to other numbers than zeros.

// REMARK: refuses.mlir:[[# @LINE + 6]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [dnn.fill adds it to no value: it is not 0]
// CHECK-LABEL: @ones
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @ones(%i: tensor<2xi64>, %x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32>, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %z = "dnn.fill"(%w) {value = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %g = "dnn.index_add"(%z, %i, %x) : (tensor<4x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// What is decided stays.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [something is decided about it]
// CHECK-LABEL: @decided
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @decided(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4x3xf32> {dnn.donated}, %lr: tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) {dnn.inplace = array<i32: -1, 2>} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}

// Sizes that are not known.

// REMARK: refuses.mlir:[[# @LINE + 5]]:12: remark: dnn.momentum (u, s): its gradient has memory of its own [its sizes are not known]
// CHECK-LABEL: @unknown
// CHECK: "dnn.momentum"(%w, %g, %v, %lr)
func.func @unknown(%d: tensor<8x?xf32>, %x: tensor<8x3xf32>, %w: tensor<?x3xf32>, %v: tensor<?x3xf32>, %lr: tensor<f32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x?xf32>, tensor<8x3xf32>) -> tensor<?x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  func.return %u, %s : tensor<?x3xf32>, tensor<?x3xf32>
}
