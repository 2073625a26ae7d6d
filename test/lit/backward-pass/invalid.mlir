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

// How often a while loop runs is not known.

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'scf.while' has no gradient
func.func @while(%c: i1, %w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = scf.while (%b = %w) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%c) %b : tensor<f32>
  } do {
  ^bb0(%d: tensor<f32>):
    %e = "dnn.add"(%d, %w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %e : tensor<f32>
  }
  func.return %a : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 4]]:8: error: 'scf.for' has a gradient only if its bounds and its step are constants
func.func @trips(%n: index, %w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = scf.for %i = %zero to %n step %one iter_args(%b = %w) -> (tensor<f32>) {
    %c = "dnn.add"(%b, %w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %c : tensor<f32>
  }
  func.return %a : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: 'scf.for' has a gradient only if its step is above 0, not 0
func.func @step(%w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %zero = arith.constant 0 : index
  %a = scf.for %i = %zero to %zero step %zero iter_args(%b = %w) -> (tensor<f32>) {
    scf.yield %b : tensor<f32>
  }
  func.return %a : tensor<f32>
}

// -----

// A number that the loop carries decides a branch, which the gradient takes again.

// CHECK: invalid.mlir:[[# @LINE + 6]]:12: error: the gradient of 'scf.for' reads n, and it keeps tensors alone
func.func @number(%w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %yes = arith.constant true
  %a, %m = scf.for %i = %zero to %two step %one iter_args(%b = %w, %n = %yes) -> (tensor<f32>, i1) {
    %c = scf.if %n -> (tensor<f32>) {
      %d = "dnn.mul"(%b, %w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %d : tensor<f32>
    } else {
      scf.yield %b : tensor<f32>
    }
    %k = arith.xori %n, %yes : i1
    scf.yield %c, %k : tensor<f32>, i1
  }
  func.return %a : tensor<f32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 3]]:10: error: dnn.opaque has no gradient
func.func @inside(%c: i1, %w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = scf.if %c -> (tensor<f32>) {
    %b = "dnn.opaque"(%w) {kind = "custom"} : (tensor<f32>) -> tensor<f32>
    scf.yield %b : tensor<f32>
  } else {
    scf.yield %w : tensor<f32>
  }
  func.return %a : tensor<f32>
}

// -----

// An op that may have effects does not run twice.

// CHECK: invalid.mlir:[[# @LINE + 3]]:10: error: 'test.print' would run again for a gradient, and may have effects
func.func @effects(%c: i1, %x: tensor<f32>, %w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = scf.if %c -> (tensor<f32>) {
    %b = "test.print"(%x) : (tensor<f32>) -> tensor<f32>
    %d = "dnn.mul"(%b, %w) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %d : tensor<f32>
  } else {
    scf.yield %w : tensor<f32>
  }
  func.return %a : tensor<f32>
}

// -----

// A number that is taken out of a trainable tensor has no gradient, and is not a constant.

// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: 'tensor.from_elements' has no gradient
func.func @element(%w: tensor<f32> {dnn.trainable}) -> (tensor<f32> {dnn.loss}) {
  %a = tensor.extract %w[] : tensor<f32>
  %b = tensor.from_elements %a : tensor<f32>
  func.return %b : tensor<f32>
}
