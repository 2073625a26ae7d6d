// What stays f16.

// RUN: opt-tool --widen-floats-pass %s | filecheck %s
// RUN: opt-tool --widen-floats-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: refuses.mlir:[[# @LINE + 29]]:8: remark: dnn.require_finite (y): computed in f16: what it computes depends on the range of f16
// REMARK: refuses.mlir:[[# @LINE + 37]]:8: remark: dnn.relu (y): computed in f16: the op has decisions

// Only the exponential is computed in f32.

// CHECK-LABEL: @beside
// CHECK: "dnn.exp"(%{{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: "dnn.tile"(%x) {{{.*}}} : (tensor<2xf16>) -> tensor<4xf16>
func.func @beside(%x: tensor<2xf16>) -> (tensor<2xf16>, tensor<4xf16>) {
  %e = "dnn.exp"(%x) : (tensor<2xf16>) -> tensor<2xf16>
  %t = "dnn.tile"(%x) {repeats = array<i64: 2>} : (tensor<2xf16>) -> tensor<4xf16>
  func.return %e, %t : tensor<2xf16>, tensor<4xf16>
}

// Elements are only moved.

// CHECK-LABEL: @moved
// CHECK: "dnn.concat"(%x, %w)
func.func @moved(%x: tensor<2x4xf16>) -> tensor<4x4xf16> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<2x4xf16>} : () -> tensor<2x4xf16>
  %y = "dnn.concat"(%x, %w) {axis = 0 : i64} : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<4x4xf16>
  func.return %y : tensor<4x4xf16>
}

// The largest finite number of f16 is no limit of f32.

// CHECK-LABEL: @finite
// CHECK: "dnn.require_finite"(%x, %l) : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
func.func @finite(%x: tensor<2xf16>, %l: tensor<f16>) -> tensor<2xf16> {
  %y = "dnn.require_finite"(%x, %l) : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}

// The op has a decision.

// CHECK-LABEL: @decided
// CHECK: %y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<2xf16>) -> tensor<2xf16>
func.func @decided(%x: tensor<2xf16> {dnn.donated}) -> tensor<2xf16> {
  %y = "dnn.relu"(%x) {dnn.inplace = array<i32: 0>} : (tensor<2xf16>) -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}

// bf16 has kernels of its own.

// CHECK-LABEL: @brain
// CHECK: "dnn.relu"(%x) : (tensor<2xbf16>) -> tensor<2xbf16>
func.func @brain(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %y = "dnn.relu"(%x) : (tensor<2xbf16>) -> tensor<2xbf16>
  func.return %y : tensor<2xbf16>
}
