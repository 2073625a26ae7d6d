// What small tensors hold becomes attributes, known branches and constants.

// RUN: opt-tool --refine-pass %s | filecheck %s

// A shape that is computed from the size of an operand: a size that is not known stays one symbol.
// CHECK-LABEL: func.func @sizes(%x: tensor<?x2x4xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:    %y = "dnn.reshape"(%x) {shape = array<i64: 0, 8>} : (tensor<?x2x4xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:    func.return
func.func @sizes(%x: tensor<?x2x4xf32>) -> tensor<?x?xf32> {
  %s = "dnn.shape"(%x) : (tensor<?x2x4xf32>) -> tensor<3xi64>
  %zero = "dnn.constant"() {value = dense<[0]> : tensor<1xi64>} : () -> tensor<1xi64>
  %n = "dnn.gather"(%s, %zero) {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %eight = "dnn.constant"() {value = dense<[8]> : tensor<1xi64>} : () -> tensor<1xi64>
  %shape = "dnn.concat"(%n, %eight) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<?x2x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// The arm that never runs does not fit the size, and is gone before it is looked at.
// CHECK-LABEL: func.func @arm(%x: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %a : tensor<4xf32>
func.func @arm(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = "dnn.shape"(%x) : (tensor<4xf32>) -> tensor<1xi64>
  %four = "dnn.constant"() {value = dense<[4]> : tensor<1xi64>} : () -> tensor<1xi64>
  %same = "dnn.equal"(%s, %four) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
  %bit = "dnn.reshape"(%same) : (tensor<1xi1>) -> tensor<i1>
  %is = tensor.extract %bit[] : tensor<i1>
  %r = scf.if %is -> (tensor<4xf32>) {
    %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %other = "dnn.constant"() {value = dense<[2, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
    %m = "dnn.dynamic"(%x, %other) {op = "reshape", names = ["shape"]} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %e = "dnn.reshape"(%m) {shape = array<i64: 4>} : (tensor<?x?xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// Ops of constants are computed, and what nothing reads is gone.
// CHECK-LABEL: func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %c = "dnn.constant"() {value = dense<[4.000000e+00, 6.000000e+00]> : tensor<2xf32>, dnn.names = ["a/add"]} : () -> tensor<2xf32>
// CHECK-NEXT:    %y = "dnn.mul"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return %y
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "dnn.constant"() {value = dense<[3.0, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "dnn.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %unread = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %y = "dnn.mul"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Constant indices that name a box: its elements are moved as a whole, and a whole axis in order is not moved at all.
// CHECK-LABEL: func.func @box(
// CHECK-NEXT:    %a = "dnn.slice_scatter"(%x, %u) {starts = array<i64: 1>, ends = array<i64: 3>} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:    %y = "dnn.reshape"(%a) : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT:    func.return %y
func.func @box(%x: tensor<4x3xf32>, %u: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
  %places = "dnn.constant"() {value = dense<[[1], [2]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %a = "dnn.scatter_nd"(%x, %places, %u) : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %all = "dnn.constant"() {value = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : () -> tensor<2x2xi64>
  %y = "dnn.gather"(%a, %all) {axis = 0 : i64} : (tensor<4x3xf32>, tensor<2x2xi64>) -> tensor<2x2x3xf32>
  func.return %y : tensor<2x2x3xf32>
}

// Zeros that convolutions alone read are their pads, beside those that they have, whichever order the axes have.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT:     dnn.pad
// CHECK:         %y = "dnn.conv"(%x, %w) {pads = array<i64: 2, 1, 0, 2>} : (tensor<1x3x5x6xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x7xf32>
// CHECK-NEXT:    %z = "dnn.conv"(%x, %v) {dilations = array<i64: 1, 3>, pads = array<i64: 1, 1, 0, 2>} : (tensor<1x3x5x6xf32>, tensor<2x3x2x3xf32>) -> tensor<1x2x5x3xf32>
// CHECK-NEXT:    func.return %y, %z
func.func @padded(
    %x: tensor<1x3x5x6xf32>, %w: tensor<4x3x3x3xf32>, %v: tensor<2x3x2x3xf32>
) -> (tensor<1x4x5x7xf32>, tensor<1x2x5x3xf32>) {
  %p = "dnn.pad"(%x) {pads = array<i64: 0, 0, 1, 1, 0, 0, 0, 2>} : (tensor<1x3x5x6xf32>) -> tensor<1x3x6x9xf32>
  %y = "dnn.conv"(%p, %w) {pads = array<i64: 1, 0, 0, 0>} : (tensor<1x3x6x9xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x7xf32>
  %z = "dnn.conv"(%p, %v) {dilations = array<i64: 1, 3>} : (tensor<1x3x6x9xf32>, tensor<2x3x2x3xf32>) -> tensor<1x2x5x3xf32>
  func.return %y, %z : tensor<1x4x5x7xf32>, tensor<1x2x5x3xf32>
}

// CHECK-LABEL: func.func @padded_channels_last(
// CHECK-NEXT:    %y = "dnn.conv"(%x, %w) {channels_last = true, pads = array<i64: 2, 0>} : (tensor<1x5x3xf32>, tensor<4x3x3xf32>) -> tensor<1x5x4xf32>
func.func @padded_channels_last(%x: tensor<1x5x3xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x5x4xf32> {
  %p = "dnn.pad"(%x) {pads = array<i64: 2, 0>, axes = array<i64: 1>} : (tensor<1x5x3xf32>) -> tensor<1x7x3xf32>
  %y = "dnn.conv"(%p, %w) {channels_last = true} : (tensor<1x7x3xf32>, tensor<4x3x3xf32>) -> tensor<1x5x4xf32>
  func.return %y : tensor<1x5x4xf32>
}

// A pad that adds nothing is a view of its operand.
// CHECK-LABEL: func.func @nothing_added(
// CHECK-NEXT:    %p = "dnn.reshape"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %y = "dnn.relu"(%p) : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @nothing_added(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %n = "dnn.constant"() {value = dense<0> : tensor<4xi64>} : () -> tensor<4xi64>
  %p = "dnn.dynamic"(%x, %n) {op = "pad", names = ["pads"]} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x3xf32>
  %y = "dnn.relu"(%p) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// All results of an op of constants are constants: of weights that a model quantises when it runs.
// CHECK-LABEL: func.func @quantised_weights(
// CHECK-NOT:     dnn.dynamic_quantize_linear
// CHECK:         %[[Q:.*]] = "dnn.constant"() {value = dense<{{.*}}> : tensor<9x8xui8>
// CHECK-NEXT:    %[[S:.*]] = "dnn.constant"() {value = dense<{{.*}}> : tensor<f32>
// CHECK-NEXT:    func.return %[[Q]], %[[S]]
func.func @quantised_weights() -> (tensor<9x8xui8>, tensor<f32>) {
  %w = "dnn.constant"() {value = dense<2.0> : tensor<9x8xf32>} : () -> tensor<9x8xf32>
  %q, %s, %z = "dnn.dynamic_quantize_linear"(%w) : (tensor<9x8xf32>) -> (tensor<9x8xui8>, tensor<f32>, tensor<ui8>)
  func.return %q, %s : tensor<9x8xui8>, tensor<f32>
}

// Rows whose number is known are a slice.
// CHECK-LABEL: func.func @known_rows(
// CHECK-NEXT:    %y = "dnn.slice"(%x) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<5x3xf32>) -> tensor<2x3xf32>
func.func @known_rows(%x: tensor<5x3xf32>) -> tensor<?x3xf32> {
  %mask = "dnn.constant"() {value = dense<[1, 0, 7]> : tensor<3xi64>} : () -> tensor<3xi64>
  %places, %count = "dnn.non_zero"(%mask) : (tensor<3xi64>) -> (tensor<3x1xi64>, tensor<i64>)
  %y = "dnn.leading_rows"(%x, %count) : (tensor<5x3xf32>, tensor<i64>) -> tensor<?x3xf32>
  func.return %y : tensor<?x3xf32>
}
