// The pass has one option, and runs on verified IR alone.

// RUN: not opt-tool --quantized-ops-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: quantized-ops-pass: {{.*}}deep

// RUN: not opt-tool --quantized-ops-pass=quantized=bits %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: quantized-ops-pass: no way 'bits' to compute what is quantised; there are integers, model

// RUN: not opt-tool --quantized-ops-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}result 0 of dnn.max_pool
func.func @sizes(%x: tensor<1x2x8xf32>) -> tensor<1x2x5xf32> {
  %y = "dnn.max_pool"(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
