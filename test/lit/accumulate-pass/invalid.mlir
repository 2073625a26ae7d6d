// The pass has no options, and runs on verified IR alone.

// RUN: not opt-tool --accumulate-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: accumulate-pass: {{.*}}deep

// RUN: not opt-tool --accumulate-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:12: error: {{.*}}parameter, gradient and states
func.func @sizes(%w: tensor<4xf32>, %g: tensor<5xf32>, %v: tensor<4xf32>, %lr: tensor<f32>) -> tensor<4xf32> {
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return %u : tensor<4xf32>
}
