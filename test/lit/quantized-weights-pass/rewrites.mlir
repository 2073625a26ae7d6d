// Constants of 8-bit integers are read as they are.

// RUN: opt-tool --quantized-weights-pass %s | filecheck %s
// RUN: opt-tool --quantized-weights-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 13]]:8: remark: dnn.matmul (y): reads %q as integers

// CHECK-LABEL: @scaled
// CHECK-NEXT: %q = "dnn.constant"
// CHECK-NEXT: %s = "dnn.constant"
// CHECK-NEXT: %[[S:[0-9]+]] = "dnn.reshape"(%s) {shape = array<i64: -1>}
// CHECK-NEXT: %y = "dnn.dequantized_matmul"(%x, %q, %[[S]]) : (tensor<?x2xf32>, tensor<2x3xi8>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK-NEXT: func.return %y
func.func @scaled(%x: tensor<?x2xf32>) -> tensor<?x3xf32> {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<[[0.5, 0.25, 2.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}

// A scale and a zero point for each column.

// CHECK-LABEL: @zero_points
// CHECK: "dnn.dequantized_matmul"(%x, %q, %{{.*}}, %{{.*}}) : (tensor<4x2xf32>, tensor<2x3xui8>, tensor<3xf32>, tensor<3xui8>) -> tensor<4x3xf32>
func.func @zero_points(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 255]]> : tensor<2x3xui8>} : () -> tensor<2x3xui8>
  %s = "dnn.constant"() {value = dense<[0.5, 0.25, 2.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %z = "dnn.constant"() {value = dense<[128, 3, 4]> : tensor<3xui8>} : () -> tensor<3xui8>
  %w = "dnn.dequantize_linear"(%q, %s, %z) {axis = 1 : i64} : (tensor<2x3xui8>, tensor<3xf32>, tensor<3xui8>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// Rows that are taken by number are widened behind that; each has its own scale.

// CHECK-LABEL: @rows
// CHECK: %[[Q:[0-9]+]] = "dnn.gather"(%q, %i) {axis = 0 : i64} : (tensor<2x3xi8>, tensor<5xi64>) -> tensor<5x3xi8>
// CHECK: %[[F:[0-9]+]] = "dnn.cast"(%[[Q]]) : (tensor<5x3xi8>) -> tensor<5x3xf32>
// CHECK: %[[G:[0-9]+]] = "dnn.gather"({{.*}}, %i) {axis = 0 : i64} : (tensor<2xf32>, tensor<5xi64>) -> tensor<5xf32>
// CHECK: %[[S:[0-9]+]] = "dnn.unsqueeze"(%[[G]]) {axes = array<i64: 1>}
// CHECK: "dnn.mul"(%[[F]], %[[S]]) : (tensor<5x3xf32>, tensor<5x1xf32>) -> tensor<5x3xf32>
func.func @rows(%i: tensor<5xi64>) -> tensor<5x3xf32> {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<[[0.5], [0.25]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%s, %f) : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = "dnn.gather"(%w, %i) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<5xi64>) -> tensor<5x3xf32>
  func.return %y : tensor<5x3xf32>
}
