// What stays as it is.

// RUN: opt-tool --quantized-weights-pass --remarks %s 2>&1 | filecheck %s
// CHECK: refuses.mlir:[[# @LINE + 11]]:8: remark: dnn.mul (w): widened in memory: dnn.exp reads it as f32
// CHECK: remark: dnn.mul (w): widened in memory: dnn.matmul reads it as f32

// Another reader needs the numbers in f32.

// CHECK-LABEL: @another_reader
// CHECK: "dnn.matmul"(%x, %w)
func.func @another_reader(%x: tensor<4x2xf32>) -> (tensor<4x3xf32>, tensor<2x3xf32>) {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %z = "dnn.exp"(%w) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<4x3xf32>, tensor<2x3xf32>
}

// The integers are an input's.

// CHECK-LABEL: @input
// CHECK: "dnn.matmul"
func.func @input(%x: tensor<4x2xf32>, %q: tensor<2x3xi8>) -> tensor<4x3xf32> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// A scale for each summed row cannot be multiplied with the sums.

// CHECK-LABEL: @summed_scales
// CHECK: "dnn.matmul"
func.func @summed_scales(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<[[0.5], [2.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// A scale for each element, and a product that is larger than the integers.

// CHECK-LABEL: @elements
// CHECK: "dnn.matmul"
// CHECK: "dnn.matmul"
func.func @elements(%x: tensor<4x2xf32>) -> (tensor<4x3xf32>, tensor<5x4x3xf32>) {
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<[[0.5, 1.0, 1.0], [2.0, 1.0, 1.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %t = "dnn.constant"() {value = dense<0.5> : tensor<5x1x1xf32>} : () -> tensor<5x1x1xf32>
  %f = "dnn.cast"(%q) : (tensor<2x3xi8>) -> tensor<2x3xf32>
  %w = "dnn.mul"(%f, %s) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = "dnn.mul"(%f, %t) : (tensor<2x3xf32>, tensor<5x1x1xf32>) -> tensor<5x2x3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %z = "dnn.matmul"(%x, %v) : (tensor<4x2xf32>, tensor<5x2x3xf32>) -> tensor<5x4x3xf32>
  func.return %y, %z : tensor<4x3xf32>, tensor<5x4x3xf32>
}
