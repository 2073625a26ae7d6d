// Options there are not; weights that are none.

// RUN: not opt-tool --weight-reorder-pass=fold=perhaps --split-input-file %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: weight-reorder-pass: {{.*}}given ('perhaps',), expected

// RUN: not opt-tool --weight-reorder-pass --split-input-file %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}the last axis of weight_h is 4, it must be 3
func.func @paddle(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x4xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x4xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}the middle axis of weight_h is 2, it must be 3
func.func @gates(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x2x1xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}
