// The pass has no options, and a map has elementwise ops on values that are there.

// RUN: not opt-tool --map-fusion-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: map-fusion-pass: {{.*}}deep

// RUN: not opt-tool --map-fusion-pass %s --split-input-file 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}body: "dnn.softmax" is no elementwise op
func.func @no_elementwise_op(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %y = "dnn.map"(%x) {body = [{op = "dnn.softmax", operands = array<i64: 0>, type = f32}]} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
