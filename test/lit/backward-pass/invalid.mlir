// RUN: not opt-tool --backward-pass --split-input-file %s 2>&1 | filecheck %s

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: dnn.opaque has no gradient
func.func @no_gradient(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = "dnn.opaque"(%w) {kind = "custom"} : (tensor<3xf32>) -> tensor<3xf32>
  %b = "dnn.reduce_sum"(%a) : (tensor<3xf32>) -> tensor<f32>
  func.return %b : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE - 1]]:1: error: no result of a function is a loss (dnn.loss)
func.func @no_loss(%w: tensor<3xf32> {dnn.trainable}) -> tensor<3xf32> {
  func.return %w : tensor<3xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: one result must be the loss (dnn.loss), not 2
func.func @two(%w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}, tensor<f32> {dnn.loss}) {
  func.return %w, %w : tensor<f32>, tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: the loss must be one floating-point number, not tensor<3xf32>
func.func @large(%w: tensor<3xf32> {dnn.trainable}) -> (tensor<3xf32> {dnn.loss}) {
  func.return %w : tensor<3xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: no argument is trainable (dnn.trainable)
func.func @fixed(%w: tensor<f32>) -> (tensor<f32> {dnn.loss}) {
  func.return %w : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: the trainable argument n holds no floating-point numbers
func.func @integers(%w: tensor<f32> {dnn.trainable}, %n: tensor<3xi64> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  func.return %w : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: the gradient of dnn.mul needs to know along which axes its operands are broadcast: sizes have to be known (--specialize-pass)
func.func @sizes(%x: tensor<?xf32>, %w: tensor<?xf32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %s = "dnn.identity"(%w) : (tensor<?xf32>) -> tensor<?xf32>
  %a = "dnn.mul"(%x, %s) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.reduce_sum"(%a) : (tensor<?xf32>) -> tensor<f32>
  func.return %b : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'scf.if' has no gradient
func.func @branch(%c: i1, %w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = scf.if %c -> (tensor<f32>) {
    scf.yield %w : tensor<f32>
  } else {
    %b = "dnn.add"(%w, %w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %b : tensor<f32>
  }
  func.return %a : tensor<f32>
}
