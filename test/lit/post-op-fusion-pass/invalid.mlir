// The pass has no options, and post-ops are elementwise ops whose operands are there.

// RUN: not opt-tool --post-op-fusion-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: post-op-fusion-pass: {{.*}}deep

// RUN: not opt-tool --post-op-fusion-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}post_ops: "dnn.softmax" is no elementwise op with one or two operands
func.func @no_elementwise_op(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = "dnn.matmul"(%x, %w) {post_ops = [{op = "dnn.softmax"}]} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
