// Constant weights of products of bytes are packed once.

// RUN: opt-tool --pack-weights-pass %s | filecheck %s
// RUN: opt-tool --pack-weights-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 12]]:8: remark: dnn.matmul_integer (y): reads %w packed, 192 bytes
// REMARK: remark: dnn.matmul_integer (z): reads %w packed, 192 bytes

// 3 summed elements are one quad of 4, 4 columns a strip of 16, and a sum has 4 bytes: 128; of 5 and 4: 192.

// CHECK-LABEL: @shared
// CHECK-NEXT: %[[W:.*]] = "dnn.constant"() {value = dense_resource<{{.*}}> : tensor<192xi8>}
// CHECK-NEXT: %y = "dnn.matmul_integer"(%x, %[[W]]) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, packed = array<i64: 5, 4>} : (tensor<?x5xui8>, tensor<192xi8>) -> tensor<?x4xi32>
// CHECK-NEXT: %z = "dnn.matmul_integer"(%v, %[[W]])
// CHECK-NEXT: func.return
func.func @shared(%x: tensor<?x5xui8>, %v: tensor<5xui8>) -> (tensor<?x4xi32>, tensor<4xi32>) {
  %w = "dnn.constant"() {value = dense<[[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [0, 0, 0, 1], [2, 2, 2, 2]]> : tensor<5x4xi8>} : () -> tensor<5x4xi8>
  %y = "dnn.matmul_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<?x5xui8>, tensor<5x4xi8>) -> tensor<?x4xi32>
  %z = "dnn.matmul_integer"(%v, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<5xui8>, tensor<5x4xi8>) -> tensor<4xi32>
  func.return %y, %z : tensor<?x4xi32>, tensor<4xi32>
}

// CHECK-LABEL: @convolution
// CHECK: "dnn.constant"() {value = {{.*}} : tensor<384xui8>}
// CHECK: "dnn.conv_integer"(%x, %{{.*}}) {{{.*}}packed = array<i64: 6, 2, 2, 2>
func.func @convolution(%x: tensor<1x5x5x4xui8>) -> tensor<1x4x4x6xi32> {
  %w = "dnn.constant"() {value = dense<129> : tensor<6x2x2x2xui8>} : () -> tensor<6x2x2x2xui8>
  %y = "dnn.conv_integer"(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true, group = 2 : i64} : (tensor<1x5x5x4xui8>, tensor<6x2x2x2xui8>) -> tensor<1x4x4x6xi32>
  func.return %y : tensor<1x4x4x6xi32>
}

// A view of a constant is packed as a constant is, also for a product in a loop.

// CHECK-LABEL: @views
// CHECK-NOT: dnn.select
// CHECK: %[[FIRST:.*]] = "dnn.constant"() {value = {{.*}} : tensor<192xi8>}
// CHECK: %[[SECOND:.*]] = "dnn.constant"() {value = {{.*}} : tensor<192xi8>}
// CHECK: "dnn.matmul_integer"(%x, %[[FIRST]]) {{{.*}}packed = array<i64: 5, 4>}
// CHECK: scf.for
// CHECK: "dnn.matmul_integer"(%x, %[[SECOND]]) {{{.*}}packed = array<i64: 5, 4>}
func.func @views(%x: tensor<2x5xui8>, %n: index) -> (tensor<2x4xi32>, tensor<2x4xi32>) {
  %w = "dnn.constant"() {value = dense<[[[1, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [0, 0, 0, 1], [2, 2, 2, 2]], [[3, 2, 3, 4], [5, 6, 7, 8], [1, 1, 1, 1], [0, 0, 0, 1], [2, 2, 2, 2]]]> : tensor<2x5x4xi8>} : () -> tensor<2x5x4xi8>
  %first = "dnn.select"(%w) {dim = 0 : i64, index = 0 : i64} : (tensor<2x5x4xi8>) -> tensor<5x4xi8>
  %second = "dnn.select"(%w) {dim = 0 : i64, index = 1 : i64} : (tensor<2x5x4xi8>) -> tensor<5x4xi8>
  %y = "dnn.matmul_integer"(%x, %first) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x5xui8>, tensor<5x4xi8>) -> tensor<2x4xi32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = scf.for %k = %zero to %n step %one iter_args(%s = %y) -> (tensor<2x4xi32>) {
    %p = "dnn.matmul_integer"(%x, %second) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x5xui8>, tensor<5x4xi8>) -> tensor<2x4xi32>
    %t = "dnn.add"(%s, %p) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    scf.yield %t : tensor<2x4xi32>
  }
  func.return %y, %z : tensor<2x4xi32>, tensor<2x4xi32>
}

// The steps of an LSTM read the columns of all gates of 16 channels, then of the next: 2 * 64 columns of 20 bytes and a sum.

// CHECK-LABEL: @steps
// CHECK: %[[R:.*]] = "dnn.constant"() {value = {{.*}} : tensor<3072xi8>}
// CHECK: "dnn.dynamic_lstm"(%x, %[[R]], %s) {{{.*}}packed = array<i64: 20, 80>}
func.func @steps(%x: tensor<?x1x80xf32>, %s: tensor<f32>) -> tensor<1x20xf32> {
  %r = "dnn.constant"() {value = dense<3> : tensor<20x80xi8>} : () -> tensor<20x80xi8>
  %y, %h, %c = "dnn.dynamic_lstm"(%x, %r, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<?x1x80xf32>, tensor<20x80xi8>, tensor<f32>) -> (tensor<?x1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>)
  func.return %h : tensor<1x20xf32>
}

// Whole strips of 64 columns: packed weights have as many bytes as plain ones.

// CHECK-LABEL: @dequantized
// CHECK: %[[W:.*]] = "dnn.constant"() {value = {{.*}} : tensor<256xi8>}
// CHECK: "dnn.dequantized_matmul"(%x, %[[W]], %s) {packed = array<i64: 2, 128>}
func.func @dequantized(%x: tensor<?x2xf32>, %s: tensor<128xf32>) -> tensor<?x128xf32> {
  %w = "dnn.constant"() {value = dense<7> : tensor<2x128xi8>} : () -> tensor<2x128xi8>
  %y = "dnn.dequantized_matmul"(%x, %w, %s) : (tensor<?x2xf32>, tensor<2x128xi8>, tensor<128xf32>) -> tensor<?x128xf32>
  func.return %y : tensor<?x128xf32>
}

// Products of rows, and convolutions of one element with their channels last, are one op: 3 rows of 20 columns are half
// panels of 16, 96 elements; a row that is added first is the bias; other post-ops stay.

// CHECK-LABEL: @rows
// CHECK-DAG: %[[W:.*]] = "dnn.constant"() {value = {{.*}} : tensor<96xf32>}
// CHECK: %y = "dnn.packed_matmul"(%x, %[[W]], %b) {columns = 20 : i64, has_bias = 1 : i64} : (tensor<?x3xf32>, tensor<96xf32>, tensor<20xf32>) -> tensor<?x20xf32>
// CHECK: %z = "dnn.packed_matmul"(%x, %{{.*}}, %b, %y) {columns = 20 : i64, has_bias = 1 : i64, post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]}
// CHECK: %v = "dnn.packed_matmul"(%x, %{{.*}}) {columns = 20 : i64, post_ops = [{op = "dnn.gelu"}]}
// CHECK-NOT: "dnn.matmul"
// CHECK-NOT: "dnn.gemm"
func.func @rows(%x: tensor<?x3xf32>, %b: tensor<20xf32>) -> (tensor<?x20xf32>, tensor<?x20xf32>) {
  %w = "dnn.constant"() {value = dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0]]> : tensor<3x20xf32>} : () -> tensor<3x20xf32>
  %t = "dnn.constant"() {value = dense<0.5> : tensor<20x3xf32>} : () -> tensor<20x3xf32>
  %u = "dnn.constant"() {value = dense<0.25> : tensor<3x20xf32>} : () -> tensor<3x20xf32>
  %y = "dnn.matmul"(%x, %w, %b) {post_ops = [{op = "dnn.add"}]} : (tensor<?x3xf32>, tensor<3x20xf32>, tensor<20xf32>) -> tensor<?x20xf32>
  %z = "dnn.gemm"(%x, %t, %b, %y) {transB = 1 : i64, post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]} : (tensor<?x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<?x20xf32>) -> tensor<?x20xf32>
  %v = "dnn.matmul"(%x, %u) {post_ops = [{op = "dnn.gelu"}]} : (tensor<?x3xf32>, tensor<3x20xf32>) -> tensor<?x20xf32>
  func.return %z, %v : tensor<?x20xf32>, tensor<?x20xf32>
}

// CHECK-LABEL: @pointwise
// CHECK-DAG: %[[W:.*]] = "dnn.constant"() {value = {{.*}} : tensor<64xf32>}
// CHECK: "dnn.packed_matmul"(%x, %[[W]]) {columns = 12 : i64, steps = array<i64: 2, 1>} : (tensor<?x5x?x4xf32>, tensor<64xf32>) -> tensor<?x3x?x12xf32>
// CHECK: "dnn.packed_matmul"(%s, %{{.*}}, %b) {columns = 12 : i64, has_bias = 1 : i64, post_ops = [{op = "dnn.hard_swish"}]} : (tensor<2x9x4xf32>, tensor<64xf32>, tensor<12xf32>) -> tensor<2x9x12xf32>
func.func @pointwise(%x: tensor<?x5x?x4xf32>, %s: tensor<2x9x4xf32>, %b: tensor<12xf32>) -> (tensor<?x3x?x12xf32>, tensor<2x9x12xf32>) {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<12x4x1x1xf32>} : () -> tensor<12x4x1x1xf32>
  %v = "dnn.constant"() {value = dense<0.25> : tensor<12x4x1xf32>} : () -> tensor<12x4x1xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true, strides = array<i64: 2, 1>} : (tensor<?x5x?x4xf32>, tensor<12x4x1x1xf32>) -> tensor<?x3x?x12xf32>
  %z = "dnn.conv"(%s, %v, %b) {channels_last = true, post_ops = [{op = "dnn.hard_swish"}]} : (tensor<2x9x4xf32>, tensor<12x4x1xf32>, tensor<12xf32>) -> tensor<2x9x12xf32>
  func.return %y, %z : tensor<?x3x?x12xf32>, tensor<2x9x12xf32>
}

// With a group for each channel the weights have their channels last too.

// CHECK-LABEL: @depthwise
// CHECK: %[[W:.*]] = "dnn.constant"() {value = {{.*}} : tensor<3x5x12xf32>}
// CHECK: "dnn.depthwise_conv"(%x, %[[W]], %b) {channels_last = true, strides = array<i64: 2, 1>, pads = array<i64: 1, 2, 1, 2>, has_bias = 1 : i64, post_ops = [{op = "dnn.relu"}]} : (tensor<?x5x?x12xf32>, tensor<3x5x12xf32>, tensor<12xf32>) -> tensor<?x3x?x12xf32>
func.func @depthwise(%x: tensor<?x5x?x12xf32>, %b: tensor<12xf32>) -> tensor<?x3x?x12xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<12x1x3x5xf32>} : () -> tensor<12x1x3x5xf32>
  %y = "dnn.conv"(%x, %w, %b) {channels_last = true, group = 12 : i64, strides = array<i64: 2, 1>, pads = array<i64: 1, 2, 1, 2>, post_ops = [{op = "dnn.relu"}]} : (tensor<?x5x?x12xf32>, tensor<12x1x3x5xf32>, tensor<12xf32>) -> tensor<?x3x?x12xf32>
  func.return %y : tensor<?x3x?x12xf32>
}

// A window of an image whose width is open is packed too, for one kernel to serve all widths, and half a panel is enough.

// CHECK-LABEL: @image
// CHECK: "dnn.packed_conv"(%x, %{{.*}}) {channels_last = true, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, kernel_shape = array<i64: 3, 3>, columns = 16 : i64} : (tensor<?x48x?x3xf32>, tensor<432xf32>) -> tensor<?x24x?x16xf32>
func.func @image(%x: tensor<?x48x?x3xf32>) -> tensor<?x24x?x16xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<16x3x3x3xf32>} : () -> tensor<16x3x3x3xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<?x48x?x3xf32>, tensor<16x3x3x3xf32>) -> tensor<?x24x?x16xf32>
  func.return %y : tensor<?x24x?x16xf32>
}

// Other windows keep how they move: 9 elements of 32 channels make 17 columns of one panel of 32, 9216 elements.

// CHECK-LABEL: @windows
// CHECK: %[[W:.*]] = "dnn.constant"() {value = {{.*}} : tensor<9216xf32>}
// CHECK: "dnn.packed_conv"(%x, %[[W]], %b, %s) {channels_last = true, strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 1, 1>, kernel_shape = array<i64: 3, 3>, columns = 17 : i64, has_bias = 1 : i64, post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]} : (tensor<?x5x?x32xf32>, tensor<9216xf32>, tensor<17xf32>, tensor<?x3x?x17xf32>) -> tensor<?x3x?x17xf32>
// CHECK: "dnn.packed_conv"(%l, %{{.*}}) {channels_last = true, dilations = array<i64: 2>, auto_pad = "SAME_LOWER", kernel_shape = array<i64: 3>, columns = 32 : i64} : (tensor<2x?x40xf32>, tensor<3840xf32>) -> tensor<2x?x32xf32>
func.func @windows(%x: tensor<?x5x?x32xf32>, %b: tensor<17xf32>, %s: tensor<?x3x?x17xf32>, %l: tensor<2x?x40xf32>) -> (tensor<?x3x?x17xf32>, tensor<2x?x32xf32>) {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<17x32x3x3xf32>} : () -> tensor<17x32x3x3xf32>
  %v = "dnn.constant"() {value = dense<0.25> : tensor<32x40x3xf32>} : () -> tensor<32x40x3xf32>
  %y = "dnn.conv"(%x, %w, %b, %s) {channels_last = true, strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 1, 1>, post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]} : (tensor<?x5x?x32xf32>, tensor<17x32x3x3xf32>, tensor<17xf32>, tensor<?x3x?x17xf32>) -> tensor<?x3x?x17xf32>
  %z = "dnn.conv"(%l, %v) {channels_last = true, dilations = array<i64: 2>, auto_pad = "SAME_LOWER"} : (tensor<2x?x40xf32>, tensor<32x40x3xf32>) -> tensor<2x?x32xf32>
  func.return %y, %z : tensor<?x3x?x17xf32>, tensor<2x?x32xf32>
}
