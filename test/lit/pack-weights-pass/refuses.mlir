// What stays as it is.

// RUN: opt-tool --pack-weights-pass --remarks %s 2>&1 | filecheck %s
// CHECK-DAG: refuses.mlir:[[# @LINE + 7]]:8: remark: dnn.constant (w): %w is not packed: dnn.cast reads it as it is

// Another reader needs the plain bytes.

// CHECK-LABEL: @another_reader
// CHECK: "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
func.func @another_reader(%x: tensor<2x3xui8>) -> (tensor<2x4xi32>, tensor<3x4xf32>) {
  %w = "dnn.constant"() {value = dense<1> : tensor<3x4xi8>} : () -> tensor<3x4xi8>
  %y = "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  %f = "dnn.cast"(%w) : (tensor<3x4xi8>) -> tensor<3x4xf32>
  func.return %y, %f : tensor<2x4xi32>, tensor<3x4xf32>
}

// The weights are an input's.

// CHECK-LABEL: @input
// CHECK: "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>}
func.func @input(%x: tensor<2x3xui8>, %w: tensor<3x4xi8>) -> tensor<2x4xi32> {
  %y = "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  func.return %y : tensor<2x4xi32>
}

// Each channel is a group: its kernel reads the plain weights. Channels are second: they are not packed.

// CHECK-LABEL: @depthwise
// CHECK-NOT: packed
// CHECK: func.return
func.func @depthwise(%x: tensor<1x5x5x2xui8>, %v: tensor<1x2x5x5xui8>) -> (tensor<1x4x4x2xi32>, tensor<1x3x4x4xi32>) {
  %w = "dnn.constant"() {value = dense<3> : tensor<2x2x2x1xui8>} : () -> tensor<2x2x2x1xui8>
  %q = "dnn.constant"() {value = dense<3> : tensor<3x2x2x2xui8>} : () -> tensor<3x2x2x2xui8>
  %y = "dnn.conv_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true, group = 2 : i64} : (tensor<1x5x5x2xui8>, tensor<2x2x2x1xui8>) -> tensor<1x4x4x2xi32>
  %z = "dnn.conv_integer"(%v, %q) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x2x5x5xui8>, tensor<3x2x2x2xui8>) -> tensor<1x3x4x4xi32>
  func.return %y, %z : tensor<1x4x4x2xi32>, tensor<1x3x4x4xi32>
}

// Packed columns that fill no strip of 64 would have more bytes than plain ones.

// CHECK-LABEL: @no_whole_strip
// CHECK: "dnn.dequantized_matmul"(%x, %w, %s) :
func.func @no_whole_strip(%x: tensor<?x2xf32>, %s: tensor<96xf32>) -> tensor<?x96xf32> {
  %w = "dnn.constant"() {value = dense<7> : tensor<2x96xi8>} : () -> tensor<2x96xi8>
  %y = "dnn.dequantized_matmul"(%x, %w, %s) : (tensor<?x2xf32>, tensor<2x96xi8>, tensor<96xf32>) -> tensor<?x96xf32>
  func.return %y : tensor<?x96xf32>
}

// The kernel makes 16 places of the one output with one row, of weights that it makes for it; and it fills lines of 9 bytes
// up to 12.

// CHECK-LABEL: @few_outputs
// CHECK-NOT: packed
// CHECK: func.return
func.func @few_outputs(%x: tensor<1x400x4xui8>, %z: tensor<1x9x9x3xui8>) -> (tensor<1x381x1xi32>, tensor<1x7x7x16xi32>) {
  %w = "dnn.constant"() {value = dense<1> : tensor<1x20x4xi8>} : () -> tensor<1x20x4xi8>
  %y = "dnn.conv_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x400x4xui8>, tensor<1x20x4xi8>) -> tensor<1x381x1xi32>
  %v = "dnn.constant"() {value = dense<1> : tensor<16x3x3x3xi8>} : () -> tensor<16x3x3x3xi8>
  %o = "dnn.conv_integer"(%z, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x9x9x3xui8>, tensor<16x3x3x3xi8>) -> tensor<1x7x7x16xi32>
  func.return %y, %o : tensor<1x381x1xi32>, tensor<1x7x7x16xi32>
}

// Eight columns fill half a vector; channels are second; there is padding; the kernel has no exp, and adds no row behind
// a function; an engine is stated; what is added is no row; the factor is 2.

// CHECK-LABEL: @other_products
// CHECK-NOT: packed_matmul
// CHECK: func.return
func.func @other_products(%x: tensor<2x4xf32>, %s: tensor<1x4x3x3xf32>, %l: tensor<1x3x3x4xf32>, %c: tensor<2x16xf32>, %b: tensor<16xf32>) -> (tensor<2x8xf32>, tensor<1x16x3x3xf32>, tensor<1x5x3x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>) {
  %few = "dnn.constant"() {value = dense<1.0> : tensor<4x8xf32>} : () -> tensor<4x8xf32>
  %y0 = "dnn.matmul"(%x, %few) : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %k = "dnn.constant"() {value = dense<1.0> : tensor<16x4x1x1xf32>} : () -> tensor<16x4x1x1xf32>
  %y1 = "dnn.conv"(%s, %k) : (tensor<1x4x3x3xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x3x3xf32>
  %j = "dnn.constant"() {value = dense<2.0> : tensor<16x4x1x1xf32>} : () -> tensor<16x4x1x1xf32>
  %y2 = "dnn.conv"(%l, %j) {channels_last = true, pads = array<i64: 1, 0, 1, 0>} : (tensor<1x3x3x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x5x3x16xf32>
  %w3 = "dnn.constant"() {value = dense<3.0> : tensor<4x16xf32>} : () -> tensor<4x16xf32>
  %y3 = "dnn.matmul"(%x, %w3) {post_ops = [{op = "dnn.exp"}]} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
  %w4 = "dnn.constant"() {value = dense<4.0> : tensor<4x16xf32>} : () -> tensor<4x16xf32>
  %y4 = "dnn.matmul"(%x, %w4, %b) {post_ops = [{op = "dnn.relu"}, {op = "dnn.add"}]} : (tensor<2x4xf32>, tensor<4x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %w5 = "dnn.constant"() {value = dense<5.0> : tensor<4x16xf32>} : () -> tensor<4x16xf32>
  %y5 = "dnn.matmul"(%x, %w5) {dnn.engine = "onednn"} : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
  %w6 = "dnn.constant"() {value = dense<6.0> : tensor<4x16xf32>} : () -> tensor<4x16xf32>
  %y6 = "dnn.gemm"(%x, %w6, %c) : (tensor<2x4xf32>, tensor<4x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
  %w7 = "dnn.constant"() {value = dense<7.0> : tensor<4x16xf32>} : () -> tensor<4x16xf32>
  %y7 = "dnn.gemm"(%x, %w7, %b) {alpha = 2.0 : f32} : (tensor<2x4xf32>, tensor<4x16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  func.return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7 : tensor<2x8xf32>, tensor<1x16x3x3xf32>, tensor<1x5x3x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>
}

// Both readers would pack the weights, to the same bytes in other sizes.

// CHECK-LABEL: @other_sizes
// CHECK: "dnn.conv"(%x, %w)
// CHECK: "dnn.conv"(%z, %w)
func.func @other_sizes(%x: tensor<1x3x3x16xf32>, %z: tensor<1x3x3x1xf32>) -> (tensor<1x3x3x16xf32>, tensor<1x3x3x16xf32>) {
  %w = "dnn.constant"() {value = dense<1.0> : tensor<16x1x1x1xf32>} : () -> tensor<16x1x1x1xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true, group = 16 : i64} : (tensor<1x3x3x16xf32>, tensor<16x1x1x1xf32>) -> tensor<1x3x3x16xf32>
  %v = "dnn.conv"(%z, %w) {channels_last = true} : (tensor<1x3x3x1xf32>, tensor<16x1x1x1xf32>) -> tensor<1x3x3x16xf32>
  func.return %y, %v : tensor<1x3x3x16xf32>, tensor<1x3x3x16xf32>
}

// Windows of few channels; of outputs that leave half a panel; of groups of several channels; with channels second; along
// three axes; behind them a function that the kernel lacks; and with weights that are an input.

// CHECK-LABEL: @other_windows
// CHECK-NOT: packed_conv
// CHECK: func.return
func.func @other_windows(%a: tensor<1x9x9x31xf32>, %x: tensor<1x9x9x64xf32>, %s: tensor<1x64x9x9xf32>, %c: tensor<1x4x4x4x32xf32>, %v: tensor<32x64x3x3xf32>) -> (tensor<1x7x7x32xf32>, tensor<1x7x7x48xf32>, tensor<1x7x7x64xf32>, tensor<1x32x7x7xf32>, tensor<1x2x2x2x32xf32>, tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>) {
  %w0 = "dnn.constant"() {value = dense<1.0> : tensor<32x31x3x3xf32>} : () -> tensor<32x31x3x3xf32>
  %y0 = "dnn.conv"(%a, %w0) {channels_last = true} : (tensor<1x9x9x31xf32>, tensor<32x31x3x3xf32>) -> tensor<1x7x7x32xf32>
  %w1 = "dnn.constant"() {value = dense<2.0> : tensor<48x64x3x3xf32>} : () -> tensor<48x64x3x3xf32>
  %y1 = "dnn.conv"(%x, %w1) {channels_last = true} : (tensor<1x9x9x64xf32>, tensor<48x64x3x3xf32>) -> tensor<1x7x7x48xf32>
  %w2 = "dnn.constant"() {value = dense<3.0> : tensor<64x32x3x3xf32>} : () -> tensor<64x32x3x3xf32>
  %y2 = "dnn.conv"(%x, %w2) {channels_last = true, group = 2 : i64} : (tensor<1x9x9x64xf32>, tensor<64x32x3x3xf32>) -> tensor<1x7x7x64xf32>
  %w3 = "dnn.constant"() {value = dense<4.0> : tensor<32x64x3x3xf32>} : () -> tensor<32x64x3x3xf32>
  %y3 = "dnn.conv"(%s, %w3) : (tensor<1x64x9x9xf32>, tensor<32x64x3x3xf32>) -> tensor<1x32x7x7xf32>
  %w4 = "dnn.constant"() {value = dense<5.0> : tensor<32x32x3x3x3xf32>} : () -> tensor<32x32x3x3x3xf32>
  %y4 = "dnn.conv"(%c, %w4) {channels_last = true} : (tensor<1x4x4x4x32xf32>, tensor<32x32x3x3x3xf32>) -> tensor<1x2x2x2x32xf32>
  %w5 = "dnn.constant"() {value = dense<6.0> : tensor<32x64x3x3xf32>} : () -> tensor<32x64x3x3xf32>
  %y5 = "dnn.conv"(%x, %w5) {channels_last = true, post_ops = [{op = "dnn.exp"}]} : (tensor<1x9x9x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x7x7x32xf32>
  %y6 = "dnn.conv"(%x, %v) {channels_last = true} : (tensor<1x9x9x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x7x7x32xf32>
  func.return %y0, %y1, %y2, %y3, %y4, %y5, %y6 : tensor<1x7x7x32xf32>, tensor<1x7x7x48xf32>, tensor<1x7x7x64xf32>, tensor<1x32x7x7xf32>, tensor<1x2x2x2x32xf32>, tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>
}

// Windows of an image of known width, and larger ones than 32 elements, stay with oneDNN.

// CHECK-LABEL: @windows_of_images
// CHECK-NOT: packed_conv
// CHECK: func.return
func.func @windows_of_images(%x: tensor<?x48x64x3xf32>, %z: tensor<1x48x?x3xf32>) -> (tensor<?x46x62x32xf32>, tensor<1x44x?x32xf32>) {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<32x3x3x3xf32>} : () -> tensor<32x3x3x3xf32>
  %v = "dnn.constant"() {value = dense<0.5> : tensor<32x3x5x5xf32>} : () -> tensor<32x3x5x5xf32>
  %y0 = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<?x48x64x3xf32>, tensor<32x3x3x3xf32>) -> tensor<?x46x62x32xf32>
  %y1 = "dnn.conv"(%z, %v) {channels_last = true} : (tensor<1x48x?x3xf32>, tensor<32x3x5x5xf32>) -> tensor<1x44x?x32xf32>
  func.return %y0, %y1 : tensor<?x46x62x32xf32>, tensor<1x44x?x32xf32>
}
