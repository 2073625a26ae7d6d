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
