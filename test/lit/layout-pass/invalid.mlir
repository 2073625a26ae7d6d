// The pass has one option, and runs on verified IR alone.

// RUN: not opt-tool --layout-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: layout-pass: {{.*}}deep

// RUN: not opt-tool --layout-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}result 0 of dnn.conv
func.func @sizes(%x: tensor<2x64x9x9xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x64x9x9xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x9x9xf32>
  func.return %y : tensor<2x64x9x9xf32>
}
