// An engine there is not, and one that does not run the op.

// RUN: not opt-tool --placement-pass --split-input-file %s 2>&1 | filecheck %s
// RUN: not opt-tool --placement-pass=engine=gpu --split-input-file %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: placement-pass: {{.*}}engine

// RUN: not opt-tool --placement-pass=gru=cpu --split-input-file %s 2>&1 | filecheck %s --check-prefix=GRU
// GRU: opt-tool: error: placement-pass: no kernels 'cpu' of GRUs; there are onednn, native

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}dnn.engine must be "onednn" or "cpu" or "native"
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.tanh"(%x) {dnn.engine = "gpu"} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}dnn.tanh does not run on engine native
func.func @no_kernel(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %a = "dnn.tanh"(%x) {dnn.engine = "native"} : (tensor<4xbf16>) -> tensor<4xbf16>
  func.return %a : tensor<4xbf16>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}dnn.gru is "cpu", it must be onednn or native
func.func @no_such_kernels(%x: tensor<5x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.gru"(%x, %wh, %o) {dnn.gru = "cpu", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// -----

// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}dnn.gru does not run on engine onednn
func.func @unable(%x: tensor<5x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.gru"(%x, %wh, %o) {dnn.engine = "onednn", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}
