// What is no GRU is an error at the GRU, before anything is fused.

// RUN: not opt-tool --gru-fusion-pass=rules=loose %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: gru-fusion-pass: {{.*}}rules

// RUN: not opt-tool --gru-fusion-pass=strategy=torch %S/options.mlir 2>&1 | filecheck %s --check-prefix=STRATEGY
// STRATEGY: error: {{.*}}no strategy 'torch'; there are optimal, paddle

// RUN: not opt-tool --gru-fusion-pass=strategy=paddle,passes=gru_pass %S/options.mlir 2>&1 | filecheck %s --check-prefix=PASSES
// PASSES: error: {{.*}}Paddle has no pass 'gru_pass' here; there are mul_gru_fuse_pass, fc_gru_fuse_pass

// RUN: not opt-tool --gru-fusion-pass --split-input-file %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 3]]:8: error: {{.*}}the last axis of gates is 3, it must be 6
func.func @gates(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<2x6xf32>, %o: tensor<3xi64>) -> tensor<5x2xf32> {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<2x6xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %h : tensor<5x2xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}2 layers of 2 directions take 12 weights, or with initial states 16, not 6
func.func @layers(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x2xf32> {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {layers = 2 : i64, mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}
