// Weights that a model states by their sizes alone are constants; what an op may be computed over, what is a part of a
// result and what is handed on are not.

// RUN: opt-tool --refine-pass %s | filecheck %s

// CHECK-LABEL: func.func @weights
// CHECK:         %w = "dnn.constant"() {value = dense<5.000000e-01> : tensor<4x3x1x1xf32>}
// CHECK:         "dnn.conv"(%x, %w)
func.func @weights(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = "dnn.constant_of_shape"() {shape = array<i64: 4, 3, 1, 1>, value = 0.5 : f32} : () -> tensor<4x3x1x1xf32>
  %y = "dnn.conv"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  func.return %y : tensor<1x4x8x8xf32>
}

// A row of which a view is added to a larger tensor.
// CHECK-LABEL: func.func @row
// CHECK-NOT:     dnn.constant_of_shape
func.func @row(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %r = "dnn.constant_of_shape"() {shape = array<i64: 96>, value = 0.5 : f32} : () -> tensor<96xf32>
  %v = "dnn.unsqueeze"(%r) {axes = array<i64: 0>} : (tensor<96xf32>) -> tensor<1x96xf32>
  %y = "dnn.add"(%x, %v) : (tensor<64x96xf32>, tensor<1x96xf32>) -> tensor<64x96xf32>
  func.return %y : tensor<64x96xf32>
}

// CHECK-LABEL: func.func @computed_over
// CHECK:         %z = "dnn.constant_of_shape"
func.func @computed_over(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %z = "dnn.constant_of_shape"() {shape = array<i64: 64, 96>, value = 0.5 : f32} : () -> tensor<64x96xf32>
  %y = "dnn.add"(%x, %z) : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x96xf32>
  func.return %y : tensor<64x96xf32>
}

// CHECK-LABEL: func.func @part
// CHECK:         %z = "dnn.constant_of_shape"
func.func @part(%x: tensor<64x96xf32>) -> tensor<128x96xf32> {
  %z = "dnn.constant_of_shape"() {shape = array<i64: 64, 96>, value = 0.5 : f32} : () -> tensor<64x96xf32>
  %y = "dnn.concat"(%x, %z) : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<128x96xf32>
  func.return %y : tensor<128x96xf32>
}

// CHECK-LABEL: func.func @returned
// CHECK:         %z = "dnn.constant_of_shape"
func.func @returned(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %z = "dnn.constant_of_shape"() {shape = array<i64: 64, 96>, value = 0.5 : f32} : () -> tensor<64x96xf32>
  func.return %z : tensor<64x96xf32>
}
