// What alone reads the result of a convolution or product goes into it.

// RUN: opt-tool --post-op-fusion-pass %s | filecheck %s

// Constant factors and statistics go into the weights and the bias, functions behind them, in their order.
// CHECK-LABEL: @affine_then_functions
// CHECK: %w = "dnn.constant"() {value = dense<1.500000e+00> : tensor<3x4x1x1xf32>}
// CHECK-NEXT: %[[B:.*]] = "dnn.constant"() {value = dense<7.000000e+00> : tensor<3xf32>}
// CHECK-NEXT: %c = "dnn.conv"(%x, %w, %[[B]]) {channels_last = true, post_ops = [{op = "dnn.relu"}, {op = "dnn.tanh"}]}
// CHECK-NEXT: func.return %c
func.func @affine_then_functions(%x: tensor<1x5x5x4xf32>) -> tensor<1x5x5x3xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<3x4x1x1xf32>} : () -> tensor<3x4x1x1xf32>
  %b = "dnn.constant"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %f = "dnn.constant"() {value = dense<3.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %one = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %y = "dnn.conv"(%x, %w, %b) {channels_last = true} : (tensor<1x5x5x4xf32>, tensor<3x4x1x1xf32>, tensor<3xf32>) -> tensor<1x5x5x3xf32>
  %m = "dnn.mul"(%f, %y) : (tensor<3xf32>, tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  %a = "dnn.add"(%m, %one) : (tensor<1x5x5x3xf32>, tensor<f32>) -> tensor<1x5x5x3xf32>
  %r = "dnn.relu"(%a) : (tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  %c = "dnn.tanh"(%r) : (tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  func.return %c : tensor<1x5x5x3xf32>
}

// CHECK-LABEL: @batch_norm
// CHECK: "dnn.conv"(%x, %w{{.*}}, %{{.*}}) {post_ops = [{op = "dnn.relu"}]}
// CHECK-NOT: dnn.batch_norm
func.func @batch_norm(%x: tensor<1x4x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<3x4x1x1xf32>} : () -> tensor<3x4x1x1xf32>
  %p = "dnn.constant"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "dnn.conv"(%x, %w) : (tensor<1x4x5x5xf32>, tensor<3x4x1x1xf32>) -> tensor<1x3x5x5xf32>
  %n = "dnn.batch_norm"(%y, %p, %p, %p, %p) : (tensor<1x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x5x5xf32>
  %c = "dnn.relu"(%n) : (tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  func.return %c : tensor<1x3x5x5xf32>
}

// The result may lie over a residual that is not read later; one that is read later is an operand of a binary.
// CHECK-LABEL: @residuals
// CHECK: %[[S:.*]] = "dnn.conv"(%x, %w, %q) {channels_last = true, post_ops = [{op = "dnn.add", sum}, {op = "dnn.relu"}]}
// CHECK: %[[T:.*]] = "dnn.conv"(%[[S]], %w, %[[S]]) {channels_last = true, post_ops = [{op = "dnn.add"}]}
// CHECK: "dnn.sub"(%[[T]], %[[S]])
func.func @residuals(%x: tensor<1x5x5x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32> {
  %q = "dnn.tanh"(%x) : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<1x5x5x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32>
  %a = "dnn.add"(%q, %y) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %r = "dnn.relu"(%a) : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %z = "dnn.conv"(%r, %w) {channels_last = true} : (tensor<1x5x5x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32>
  %b = "dnn.add"(%z, %r) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %c = "dnn.tanh"(%b) : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %d = "dnn.sub"(%b, %r) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  func.return %e : tensor<1x5x5x4xf32>
}

// A residual that is subtracted is no sum, and stays as it is.
// CHECK-LABEL: @difference
// CHECK: %[[Q:.*]] = "dnn.tanh"(%x)
// CHECK-NEXT: %[[D:.*]] = "dnn.conv"(%x, %w, %[[Q]]) {channels_last = true, post_ops = [{op = "dnn.sub"}]}
// CHECK-NEXT: func.return %[[D]], %[[Q]]
func.func @difference(%x: tensor<1x5x5x4xf32>, %w: tensor<4x4x1x1xf32>) -> (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) {
  %q = "dnn.tanh"(%x) : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<1x5x5x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32>
  %d = "dnn.sub"(%y, %q) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  func.return %d, %q : tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>
}

// A row and a function go into a product, with an unknown number of rows too. Lines behind a function are one.
// CHECK-LABEL: @rows
// CHECK: "dnn.matmul"(%x, %w, %b) {post_ops = [{op = "dnn.add"}, {op = "dnn.gelu"}, {op = "dnn.scale", scale = 6.000000e+00 : f32, bias = 2.000000e+00 : f32}]}
// CHECK-NEXT: func.return
func.func @rows(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> {
  %two = "dnn.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %y = "dnn.matmul"(%x, %w) : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %a = "dnn.add"(%y, %b) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %g = "dnn.gelu"(%a) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %s = "dnn.scale"(%g) {scale = 3.0 : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %t = "dnn.mul"(%s, %two) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %c = "dnn.add"(%t, %two) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  func.return %c : tensor<?x3xf32>
}

// Both forms of gelu, with their factors in any order.
// CHECK-LABEL: @spelt_out_gelu
// CHECK-NEXT: %[[G:.*]] = "dnn.gelu"(%x) :
// CHECK-NEXT: %[[T:.*]] = "dnn.gelu"(%[[G]]) {approximate = "tanh"}
// CHECK-NEXT: func.return %[[T]]
func.func @spelt_out_gelu(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root = "dnn.constant"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %three = "dnn.constant"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %cube = "dnn.constant"() {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %inner = "dnn.constant"() {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %s = "dnn.div"(%x, %root) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %e = "dnn.erf"(%s) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %g = "dnn.add"(%one, %e) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %p = "dnn.mul"(%g, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = "dnn.mul"(%half, %p) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %y3 = "dnn.pow"(%y, %three) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %c = "dnn.mul"(%y3, %cube) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %a = "dnn.add"(%y, %c) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %i = "dnn.mul"(%inner, %a) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = "dnn.tanh"(%i) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %h = "dnn.add"(%t, %one) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %m = "dnn.mul"(%y, %half) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %z = "dnn.mul"(%m, %h) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %z : tensor<2x4xf32>
}

// Numbers other than those of a form, and an error function of another value, are no gelu.
// CHECK-LABEL: @no_gelu
// CHECK: dnn.erf
// CHECK: dnn.erf
// CHECK: dnn.mul
func.func @no_gelu(%x: tensor<2x4xf32>, %w: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root = "dnn.constant"() {value = dense<1.42> : tensor<f32>} : () -> tensor<f32>
  %right = "dnn.constant"() {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %s = "dnn.div"(%x, %root) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %e = "dnn.erf"(%s) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %g = "dnn.add"(%one, %e) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %p = "dnn.mul"(%g, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = "dnn.mul"(%half, %p) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %s2 = "dnn.div"(%w, %right) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %e2 = "dnn.erf"(%s2) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %g2 = "dnn.add"(%one, %e2) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %p2 = "dnn.mul"(%g2, %y) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = "dnn.mul"(%half, %p2) : (tensor<f32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %z : tensor<2x4xf32>
}

// Activations that a model writes as several ops are one, behind a product or not.
// CHECK-LABEL: @spelt_out
// CHECK-NEXT: %[[H:.*]] = "dnn.hard_swish"(%x)
// CHECK-NEXT: %[[S:.*]] = "dnn.silu"(%[[H]])
// CHECK-NEXT: func.return %[[S]]
func.func @spelt_out(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %three = "dnn.constant"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %six = "dnn.constant"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %a = "dnn.add"(%x, %three) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %c = "dnn.clip"(%a) {min = 0.0 : f32, max = 6.0 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = "dnn.mul"(%x, %c) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %h = "dnn.div"(%m, %six) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %g = "dnn.sigmoid"(%h) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %s = "dnn.mul"(%g, %h) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}

// A layer normalisation of a sum: the reversed factors, and the bias in front. Zeros and ones stand for what is not there.

// CHECK-LABEL: @layer_norm
// CHECK: %[[SUM:.*]] = "dnn.add"(%x, %r)
// CHECK: %y = "dnn.layer_norm"(%[[SUM]], %g, %b) {axis = 1 : i64, epsilon = 1.000000e-05 : f32}
// CHECK-NEXT: func.return %y
func.func @layer_norm(%x: tensor<?x8xf32>, %r: tensor<?x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %e = "dnn.constant"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %two = "dnn.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %sum = "dnn.add"(%x, %r) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = "dnn.reduce_mean"(%sum) {axes = array<i64: -1>, keepdims = true} : (tensor<?x8xf32>) -> tensor<?x1xf32>
  %d = "dnn.sub"(%sum, %m) : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %q = "dnn.pow"(%d, %two) : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %v = "dnn.reduce_mean"(%q) {axes = array<i64: -1>, keepdims = true} : (tensor<?x8xf32>) -> tensor<?x1xf32>
  %ve = "dnn.add"(%e, %v) : (tensor<f32>, tensor<?x1xf32>) -> tensor<?x1xf32>
  %s = "dnn.sqrt"(%ve) : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %n = "dnn.div"(%d, %s) : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %p = "dnn.mul"(%g, %n) : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = "dnn.add"(%b, %p) : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  func.return %y : tensor<?x8xf32>
}

// CHECK-LABEL: @rms_norm
// CHECK: %[[ONES:.*]] = "dnn.constant"() {value = dense<1.000000e+00> : tensor<8xf32>}
// CHECK: %y = "dnn.rms_norm"(%x, %[[ONES]]) {axis = 1 : i64, epsilon = {{1.0+e-06|9.9.*e-07}} : f32}
func.func @rms_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = "dnn.constant"() {value = dense<1.0e-6> : tensor<f32>} : () -> tensor<f32>
  %q = "dnn.mul"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %v = "dnn.reduce_mean"(%q) {axes = array<i64: 1>, keepdims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %ve = "dnn.add"(%v, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %s = "dnn.sqrt"(%ve) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %i = "dnn.reciprocal"(%s) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = "dnn.mul"(%i, %x) : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

// The sums of integers, in f32, times a scale that is the product of two, plus a row.

// CHECK-LABEL: @scaled_product
// CHECK-NEXT: %y = "dnn.scaled_matmul_integer"(%q, %w, %s, %t, %z, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1>}
// CHECK-NEXT: func.return %y
func.func @scaled_product(%q: tensor<2x8xui8>, %w: tensor<8x3xi8>, %z: tensor<ui8>, %s: tensor<f32>, %t: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %p = "dnn.matmul_integer"(%q, %w, %z) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<2x8xui8>, tensor<8x3xi8>, tensor<ui8>) -> tensor<2x3xi32>
  %c = "dnn.cast"(%p) : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %st = "dnn.mul"(%t, %s) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %m = "dnn.mul"(%c, %st) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %y = "dnn.add"(%b, %m) : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// So are the sums of a convolution of bytes: the bias is one number for each channel, and Relu a bound.

// CHECK-LABEL: @scaled_convolution
// CHECK-NEXT: %y = "dnn.scaled_conv_integer"(%q, %w, %s, %t, %z, %n, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>, group = 2 : i64, min = 0.000000e+00 : f32}
// CHECK-NEXT: func.return %y
func.func @scaled_convolution(%q: tensor<1x8x?x9xui8>, %w: tensor<6x4x3x3xi8>, %z: tensor<ui8>, %n: tensor<6xi8>, %s: tensor<f32>, %t: tensor<1x6x1x1xf32>, %b: tensor<1x6x1x1xf32>) -> tensor<1x6x?x7xf32> {
  %p = "dnn.conv_integer"(%q, %w, %z, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 1>, group = 2 : i64} : (tensor<1x8x?x9xui8>, tensor<6x4x3x3xi8>, tensor<ui8>, tensor<6xi8>) -> tensor<1x6x?x7xi32>
  %c = "dnn.cast"(%p) : (tensor<1x6x?x7xi32>) -> tensor<1x6x?x7xf32>
  %st = "dnn.mul"(%s, %t) : (tensor<f32>, tensor<1x6x1x1xf32>) -> tensor<1x6x1x1xf32>
  %m = "dnn.mul"(%c, %st) : (tensor<1x6x?x7xf32>, tensor<1x6x1x1xf32>) -> tensor<1x6x?x7xf32>
  %a = "dnn.add"(%m, %b) : (tensor<1x6x?x7xf32>, tensor<1x6x1x1xf32>) -> tensor<1x6x?x7xf32>
  %y = "dnn.relu"(%a) : (tensor<1x6x?x7xf32>) -> tensor<1x6x?x7xf32>
  func.return %y : tensor<1x6x?x7xf32>
}

// A scale that another op reads, too, stays a value, and one for each channel alone is times 1. The lower bound of Clip
// with its channels last.

// CHECK-LABEL: @scales_of_channels
// CHECK-NEXT: %st = "dnn.mul"(%s, %t)
// CHECK-NEXT: %[[ONE:.*]] = "dnn.constant"() {value = dense<1.000000e+00> : tensor<f32>}
// CHECK-NEXT: %y = "dnn.scaled_conv_integer"(%q, %w, %[[ONE]], %st) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0>, channels_last = true, min = -1.000000e+00 : f32, max = 6.000000e+00 : f32}
// CHECK-NEXT: func.return %y, %st
func.func @scales_of_channels(%q: tensor<1x9x9x8xui8>, %w: tensor<6x3x3x8xi8>, %s: tensor<f32>, %t: tensor<6xf32>) -> (tensor<1x7x7x6xf32>, tensor<6xf32>) {
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x9x9x8xui8>, tensor<6x3x3x8xi8>) -> tensor<1x7x7x6xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x6xi32>) -> tensor<1x7x7x6xf32>
  %st = "dnn.mul"(%s, %t) : (tensor<f32>, tensor<6xf32>) -> tensor<6xf32>
  %m = "dnn.mul"(%c, %st) : (tensor<1x7x7x6xf32>, tensor<6xf32>) -> tensor<1x7x7x6xf32>
  %y = "dnn.clip"(%m) {min = -1.0 : f32, max = 6.0 : f32} : (tensor<1x7x7x6xf32>) -> tensor<1x7x7x6xf32>
  func.return %y, %st : tensor<1x7x7x6xf32>, tensor<6xf32>
}

// The bound of a product that two ops read stays an op: the product has the scale and the row.

// CHECK-LABEL: @bounded_product
// CHECK-NEXT: %m = "dnn.scaled_matmul_integer"(%q, %w, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
// CHECK-NEXT: %y = "dnn.relu"(%m)
// CHECK-NEXT: %z = "dnn.scaled_matmul_integer"(%q, %w, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>, min = 0.000000e+00 : f32}
func.func @bounded_product(%q: tensor<2x8xui8>, %w: tensor<8x3xi8>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %p = "dnn.matmul_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x8xui8>, tensor<8x3xi8>) -> tensor<2x3xi32>
  %c = "dnn.cast"(%p) : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %m = "dnn.mul"(%c, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %y = "dnn.relu"(%m) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %o = "dnn.matmul_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x8xui8>, tensor<8x3xi8>) -> tensor<2x3xi32>
  %d = "dnn.cast"(%o) : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %n = "dnn.mul"(%d, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %z = "dnn.relu"(%n) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %m, %y, %z : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Squeeze-excite: both products end with their functions, and the map is scaled by one op.

// CHECK-LABEL: @squeeze_excite
// CHECK: %p = "dnn.reduce_mean"(%x)
// CHECK: %[[H:.*]] = "dnn.conv"(%p, %w1, %b1) {channels_last = true, post_ops = [{op = "dnn.relu"}]}
// CHECK: %[[S:.*]] = "dnn.conv"(%[[H]], %w2, %{{.*}}) {channels_last = true, post_ops = [{op = "dnn.clip", min = 0.000000e+00 : f32, max = 6.000000e+00 : f32}, {op = "dnn.scale", scale = 0.166666672 : f32, bias = 0.000000e+00 : f32}]}
// CHECK-NEXT: %y = "dnn.mul"(%[[S]], %x)
// CHECK-NEXT: func.return %y
func.func @squeeze_excite(%x: tensor<1x5x5x8xf32>, %w1: tensor<2x8x1x1xf32>, %b1: tensor<2xf32>) -> tensor<1x5x5x8xf32> {
  %w2 = "dnn.constant"() {value = dense<0.5> : tensor<8x2x1x1xf32>} : () -> tensor<8x2x1x1xf32>
  %b2 = "dnn.constant"() {value = dense<2.0> : tensor<8xf32>} : () -> tensor<8xf32>
  %three = "dnn.constant"() {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %six = "dnn.constant"() {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %p = "dnn.reduce_mean"(%x) {axes = array<i64: 1, 2>, keepdims = true} : (tensor<1x5x5x8xf32>) -> tensor<1x1x1x8xf32>
  %h = "dnn.conv"(%p, %w1, %b1) {channels_last = true} : (tensor<1x1x1x8xf32>, tensor<2x8x1x1xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
  %r = "dnn.relu"(%h) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %s = "dnn.conv"(%r, %w2, %b2) {channels_last = true} : (tensor<1x1x1x2xf32>, tensor<8x2x1x1xf32>, tensor<8xf32>) -> tensor<1x1x1x8xf32>
  %a = "dnn.add"(%s, %three) : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<1x1x1x8xf32>
  %c = "dnn.clip"(%a) {min = 0.0 : f32, max = 6.0 : f32} : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %d = "dnn.div"(%c, %six) : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<1x1x1x8xf32>
  %y = "dnn.mul"(%d, %x) : (tensor<1x1x1x8xf32>, tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  func.return %y : tensor<1x5x5x8xf32>
}

// The runtime's kernel of few outputs has these post-ops too.
// CHECK-LABEL: @row_kernel
// CHECK: %[[Y:.*]] = "dnn.conv"(%x, %w, %q) {pads = array<i64: 1, 1, 1, 1>, post_ops = [{op = "dnn.add", sum}, {op = "dnn.hard_swish"}], dnn.engine = "native"}
// CHECK: "dnn.conv"(%[[Y]], %w) {pads = array<i64: 1, 1, 1, 1>, post_ops = [{op = "dnn.clip", min = 0.000000e+00 : f32, max = 6.000000e+00 : f32}, {op = "dnn.scale", scale = 5.000000e-01 : f32, bias = 0.000000e+00 : f32}], dnn.engine = "native"}
func.func @row_kernel(%x: tensor<1x4x20x20xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x20x20xf32> {
  %half = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %q = "dnn.tanh"(%x) {dnn.engine = "onednn"} : (tensor<1x4x20x20xf32>) -> tensor<1x4x20x20xf32>
  %y = "dnn.conv"(%x, %w) {dnn.engine = "native", pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x20x20xf32>
  %a = "dnn.add"(%q, %y) {dnn.engine = "onednn"} : (tensor<1x4x20x20xf32>, tensor<1x4x20x20xf32>) -> tensor<1x4x20x20xf32>
  %h = "dnn.hard_swish"(%a) {dnn.engine = "onednn"} : (tensor<1x4x20x20xf32>) -> tensor<1x4x20x20xf32>
  %z = "dnn.conv"(%h, %w) {dnn.engine = "native", pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x20x20xf32>
  %c = "dnn.clip"(%z) {min = 0.0 : f32, max = 6.0 : f32, dnn.engine = "onednn"} : (tensor<1x4x20x20xf32>) -> tensor<1x4x20x20xf32>
  %m = "dnn.mul"(%c, %half) {dnn.engine = "onednn"} : (tensor<1x4x20x20xf32>, tensor<f32>) -> tensor<1x4x20x20xf32>
  func.return %m : tensor<1x4x20x20xf32>
}

// A normalisation by constants behind the scaled sums is in the scales of the channels and the bias, also behind a bias of
// its own and in front of a bound.

// CHECK-LABEL: @normalised_convolution
// CHECK-DAG: %[[SCALE:.*]] = "dnn.constant"() {value = dense_resource<y> : tensor<2xf32>}
// CHECK-DAG: %[[BIAS:.*]] = "dnn.constant"() {value = dense_resource<y_1> : tensor<2xf32>}
// CHECK: %y = "dnn.scaled_conv_integer"(%q, %w, %s, %[[SCALE]], %[[BIAS]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1>, channels_last = true, min = 0.000000e+00 : f32}
// CHECK-NEXT: func.return %y
func.func @normalised_convolution(%q: tensor<1x9x9x8xui8>, %w: tensor<2x3x3x8xi8>, %s: tensor<f32>) -> tensor<1x7x7x2xf32> {
  %t = "dnn.constant"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %a = "dnn.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %f = "dnn.constant"() {value = dense<[4.0, 8.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "dnn.constant"() {value = dense<[1.0, 0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %m = "dnn.constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "dnn.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x9x9x8xui8>, tensor<2x3x3x8xi8>) -> tensor<1x7x7x2xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x2xi32>) -> tensor<1x7x7x2xf32>
  %st = "dnn.mul"(%s, %t) : (tensor<f32>, tensor<1xf32>) -> tensor<1xf32>
  %d = "dnn.mul"(%c, %st) : (tensor<1x7x7x2xf32>, tensor<1xf32>) -> tensor<1x7x7x2xf32>
  %e = "dnn.add"(%d, %a) : (tensor<1x7x7x2xf32>, tensor<2xf32>) -> tensor<1x7x7x2xf32>
  %n = "dnn.batch_norm"(%e, %f, %b, %m, %v) {channels_last = true, epsilon = 0.0 : f32} : (tensor<1x7x7x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x7x7x2xf32>
  %y = "dnn.relu"(%n) : (tensor<1x7x7x2xf32>) -> tensor<1x7x7x2xf32>
  func.return %y : tensor<1x7x7x2xf32>
}

// So is a row that a product of bytes is multiplied with.

// CHECK-LABEL: @lines_of_products
// CHECK: %[[ROW:.*]] = "dnn.constant"() {value = dense_resource<y_2> : tensor<2xf32>}
// CHECK-NEXT: %y = "dnn.scaled_matmul_integer"(%q, %w, %s, %[[ROW]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0>}
// CHECK-NEXT: func.return %y
func.func @lines_of_products(%q: tensor<2x8xui8>, %w: tensor<8x2xi8>, %s: tensor<f32>) -> tensor<2x2xf32> {
  %f = "dnn.constant"() {value = dense<[2.0, 3.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "dnn.matmul_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x8xui8>, tensor<8x2xi8>) -> tensor<2x2xi32>
  %c = "dnn.cast"(%p) : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %m = "dnn.mul"(%c, %s) : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %y = "dnn.mul"(%m, %f) : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Sums of one channel, which are a view of other sizes before they are scaled: the result is the view.

// CHECK-LABEL: @one_channel
// CHECK-NEXT: %[[Y:.*]] = "dnn.scaled_conv_integer"(%q, %w, %s, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1>, channels_last = true, min = 0.000000e+00 : f32} : {{.*}} -> tensor<1x7x7x1xf32>
// CHECK-NEXT: %y = "dnn.reshape"(%[[Y]]) {shape = array<i64: 1, 1, 7, 7>} : (tensor<1x7x7x1xf32>) -> tensor<1x1x7x7xf32>
// CHECK-NEXT: func.return %y
func.func @one_channel(%q: tensor<1x9x9x8xui8>, %w: tensor<1x3x3x8xi8>, %s: tensor<f32>, %b: tensor<1x1x1x1xf32>) -> tensor<1x1x7x7xf32> {
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x9x9x8xui8>, tensor<1x3x3x8xi8>) -> tensor<1x7x7x1xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x1xi32>) -> tensor<1x7x7x1xf32>
  %r = "dnn.reshape"(%c) {shape = array<i64: 1, 1, 7, 7>} : (tensor<1x7x7x1xf32>) -> tensor<1x1x7x7xf32>
  %m = "dnn.mul"(%r, %s) : (tensor<1x1x7x7xf32>, tensor<f32>) -> tensor<1x1x7x7xf32>
  %a = "dnn.add"(%m, %b) : (tensor<1x1x7x7xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x7x7xf32>
  %y = "dnn.relu"(%a) : (tensor<1x1x7x7xf32>) -> tensor<1x1x7x7xf32>
  func.return %y : tensor<1x1x7x7xf32>
}

// Behind --placement-pass, an op that has the engine which it has by itself becomes a post-op of a product on oneDNN.

// CHECK-LABEL: @placed
// CHECK-NEXT: %s = "dnn.matmul"(%x, %w, %r) {post_ops = [{op = "dnn.mul"}], dnn.engine = "onednn"}
// CHECK-NEXT: func.return %s
func.func @placed(%x: tensor<5x6xf32>, %w: tensor<6x8xf32>, %r: tensor<1x8xf32>) -> tensor<5x8xf32> {
  %m = "dnn.matmul"(%x, %w) {dnn.engine = "onednn"} : (tensor<5x6xf32>, tensor<6x8xf32>) -> tensor<5x8xf32>
  %s = "dnn.mul"(%m, %r) {dnn.engine = "native"} : (tensor<5x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  func.return %s : tensor<5x8xf32>
}

// A native product adds operands that broadcast along any axes.
// CHECK-LABEL: @masked_scores
// CHECK-NEXT: %[[S:.*]] = "dnn.matmul"(%q, %k, %m, %p) {transB = 1 : i64, post_ops = [{op = "dnn.scale", scale = 5.000000e-01 : f32, bias = 0.000000e+00 : f32}, {op = "dnn.add"}, {op = "dnn.add"}]}
// CHECK-NEXT: func.return %[[S]]
func.func @masked_scores(%q: tensor<2x3x5x4xf32>, %k: tensor<2x3x5x4xf32>, %m: tensor<2x1x1x5xf32>, %p: tensor<3x5x5xf32>) -> tensor<2x3x5x5xf32> {
  %f = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %y = "dnn.matmul"(%q, %k) {transB = 1 : i64} : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x5xf32>
  %s = "dnn.mul"(%y, %f) : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5x5xf32>
  %a = "dnn.add"(%s, %m) : (tensor<2x3x5x5xf32>, tensor<2x1x1x5xf32>) -> tensor<2x3x5x5xf32>
  %b = "dnn.add"(%a, %p) : (tensor<2x3x5x5xf32>, tensor<3x5x5xf32>) -> tensor<2x3x5x5xf32>
  func.return %b : tensor<2x3x5x5xf32>
}

// What dies at a sum that is not the first post-op is written over by an op of its own.
// CHECK-LABEL: @late_residual
// CHECK: %[[R:.*]] = "dnn.tanh"(%m)
// CHECK-NEXT: %[[S:.*]] = "dnn.matmul"(%q, %k) {post_ops = [{op = "dnn.relu"}]}
// CHECK-NEXT: "dnn.add"(%[[S]], %[[R]])
func.func @late_residual(%q: tensor<2x3x4xf32>, %k: tensor<2x4x5xf32>, %m: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %r = "dnn.tanh"(%m) : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %y = "dnn.matmul"(%q, %k) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %s = "dnn.relu"(%y) : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %a = "dnn.add"(%s, %r) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  func.return %a : tensor<2x3x5xf32>
}
