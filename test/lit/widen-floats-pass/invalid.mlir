// The pass has one option, and runs on verified IR alone.

// RUN: not opt-tool --widen-floats-pass=deep=true %s 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: opt-tool: error: widen-floats-pass: {{.*}}deep

// RUN: not opt-tool --widen-floats-pass=halves=f8 %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: widen-floats-pass: no way 'f8' to compute f16; there are f32, model

// RUN: not opt-tool --widen-floats-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: {{.*}}result 0 of dnn.relu
func.func @sizes(%x: tensor<4xf16>) -> tensor<5xf16> {
  %y = "dnn.relu"(%x) : (tensor<4xf16>) -> tensor<5xf16>
  func.return %y : tensor<5xf16>
}
