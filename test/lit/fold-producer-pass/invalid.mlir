// The pass has no options, and runs on verified IR alone.

// RUN: not opt-tool --fold-producer-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: fold-producer-pass: {{.*}}deep

// RUN: not opt-tool --fold-producer-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}sizes 4 and 5 do not broadcast
func.func @sizes(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xi1> {
  %c = "dnn.less_or_equal"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  func.return %c : tensor<4xi1>
}
