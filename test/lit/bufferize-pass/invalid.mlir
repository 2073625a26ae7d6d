// An op without a memref form, an option that is none, and decisions that are wrong are errors.

// RUN: not opt-tool --bufferize-pass=arena=heap %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: bufferize-pass: {{.*}}arena is alloc, argument, none, not 'heap'

// RUN: not opt-tool --bufferize-pass --split-input-file %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: 'dnn.relu' has no memref form
func.func @no_form(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 4]]:8: error: {{.*}}%a
func.func @stale(%x: tensor<4xf32>, %e: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = arith.mulf %a, %x {dnn.inplace = array<i32: 0>} : tensor<4xf32>
  %c = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 1]]:1: error: the function never returns
func.func @endless(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^again
^again:
  cf.br ^again
}
