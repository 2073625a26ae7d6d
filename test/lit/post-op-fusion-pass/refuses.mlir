// What would not be the same, or slower, is not fused.

// RUN: opt-tool --post-op-fusion-pass %s --remarks 2>&1 | filecheck %s

// CHECK-DAG: remark: dnn.div (normal): not computed as one dnn.layer_norm: a value that would be gone is read elsewhere, or returned [used-elsewhere]
// CHECK-DAG: remark: dnn.hard_sigmoid (h): not fused into %y: oneDNN has no fast post-op for that op there [no-post-op]
// CHECK-DAG: remark: dnn.add (a): not fused into %y: oneDNN has no fast post-op for that op there [no-post-op]
// CHECK-DAG: remark: dnn.sub (dies): not fused into %y: oneDNN has no fast post-op for that op there [no-post-op]
// CHECK-DAG: remark: dnn.sub (s): not fused into %y: the op's operands and result are not known to have sizes that a post-op takes [sizes]
// CHECK-DAG: remark: dnn.add (w2): not fused into %y: the op's operands and result are not known to have sizes that a post-op takes [sizes]
// CHECK-DAG: remark: dnn.relu (r64): not fused into %y: one of the two ops is not oneDNN's [no-primitive]
// CHECK-DAG: remark: dnn.tanh (t): not fused into %y: the result may take the place of a carried or donated value, which the fused op would read while it writes [carried]
// CHECK-DAG: remark: dnn.relu (r): not fused into %y: the result may take the place of a carried or donated value, which the fused op would read while it writes [carried]
// CHECK-DAG: remark: dnn.relu (rd): not fused into %y: a decision that was there before gives its place [decided]

// CHECK-DAG: remark: dnn.tanh (n): not fused into %y: oneDNN has no fast post-op for that op there [no-post-op]

// oneDNN's hardsigmoid makes 1 of NaN.
// CHECK-LABEL: @no_post_op
// CHECK: "dnn.matmul"(%x, %w) :
func.func @no_post_op(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %h = "dnn.hard_sigmoid"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %h : tensor<2x3xf32>
}

// With channels second oneDNN has its reference alone for an operand as large as the result.
// CHECK-LABEL: @channels_second
// CHECK: "dnn.conv"(%x, %w) :
func.func @channels_second(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x5x5xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<1x4x5x5xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x5x5xf32>
  %a = "dnn.add"(%y, %x) : (tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  func.return %a : tensor<1x4x5x5xf32>
}

// A column is neither a row nor as large as the result.
// CHECK-LABEL: @column
// CHECK: "dnn.matmul"(%x, %w) :
func.func @column(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %c: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = "dnn.sub"(%y, %c) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

// The result of the sum has more rows than the product where that has one.
// CHECK-LABEL: @unknown_sizes
// CHECK: "dnn.matmul"(%x, %w) :
func.func @unknown_sizes(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>, %z: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %w2 = "dnn.add"(%y, %z) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return %w2 : tensor<?x3xf32>
}

// The function behind the difference may be in place over %q: both may lie in its memory then.
// CHECK-LABEL: @whole_operand_that_dies
// CHECK: "dnn.conv"(%x, %w) {channels_last = true} :
func.func @whole_operand_that_dies(%x: tensor<1x5x5x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32> {
  %q = "dnn.tanh"(%x) : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %y = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<1x5x5x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x5x5x4xf32>
  %dies = "dnn.sub"(%y, %q) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  func.return %dies : tensor<1x5x5x4xf32>
}

// CHECK-LABEL: @other_types
// CHECK: "dnn.matmul"(%x, %w) :
func.func @other_types(%x: tensor<2x4xf64>, %w: tensor<4x3xf64>) -> tensor<2x3xf64> {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf64>, tensor<4x3xf64>) -> tensor<2x3xf64>
  %r64 = "dnn.relu"(%y) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  func.return %r64 : tensor<2x3xf64>
}

// A step of training.
// CHECK-LABEL: @parameters
// CHECK: "dnn.relu"(%y)
func.func @parameters(%x: tensor<2x4xf32>, %w: tensor<4x3xf32> {dnn.donated, dnn.initial = dense<0.5> : tensor<4x3xf32>}) -> (tensor<2x3xf32>, tensor<4x3xf32> {dnn.tied = 1 : i32}) {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = "dnn.relu"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %u = "dnn.tanh"(%w) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  func.return %r, %u : tensor<2x3xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: @decided
// CHECK: "dnn.relu"(%y)
func.func @decided(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %rd = "dnn.relu"(%y) {dnn.inplace = array<i32: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %rd : tensor<2x3xf32>
}

// Both results are needed.
// CHECK-LABEL: @two_readers
// CHECK: "dnn.relu"(%y)
// CHECK-NEXT: "dnn.tanh"(%y)
func.func @two_readers(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = "dnn.relu"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = "dnn.tanh"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r, %t : tensor<2x3xf32>, tensor<2x3xf32>
}

// Weights that another op reads would be there twice: the factors are an operand.
// CHECK-LABEL: @shared_weights
// CHECK: "dnn.matmul"(%x, %w, %f) {post_ops = [{op = "dnn.mul"}]}
func.func @shared_weights(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<4x3xf32>} : () -> tensor<4x3xf32>
  %f = "dnn.constant"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %m = "dnn.mul"(%y, %f) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %z = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  func.return %m, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// The result of a function over the product may lie over the carried state; that of the product may not, which reads it.
// CHECK-LABEL: @carried
// CHECK: "dnn.matmul"(%h, %w) :
// CHECK-NEXT: "dnn.tanh"
// CHECK-NEXT: scf.yield
func.func @carried(%s: tensor<4xf32> {dnn.donated}, %w: tensor<4x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%h = %s) -> (tensor<4xf32>) {
    %y = "dnn.matmul"(%h, %w) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %t = "dnn.tanh"(%y) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  func.return %last : tensor<4xf32>
}

// CHECK-LABEL: @donated
// CHECK: "dnn.matmul"
// CHECK-NEXT: "dnn.relu"
func.func @donated(%s: tensor<4x4xf32> {dnn.donated}, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = "dnn.matmul"(%s, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = "dnn.relu"(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// The centred value is returned: it would be computed twice.

// CHECK-LABEL: @centred_is_returned
// CHECK-NOT: dnn.layer_norm
// CHECK: func.return
func.func @centred_is_returned(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = "dnn.constant"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "dnn.reduce_mean"(%x) {axes = array<i64: 1>, keepdims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %d = "dnn.sub"(%x, %m) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %q = "dnn.mul"(%d, %d) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %v = "dnn.reduce_mean"(%q) {axes = array<i64: 1>, keepdims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %ve = "dnn.add"(%v, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %sd = "dnn.sqrt"(%ve) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %normal = "dnn.div"(%d, %sd) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %normal, %d : tensor<4x8xf32>, tensor<4x8xf32>
}

// Means of other axes than those that are normalised, no mean at all, and axes that are not the last ones.

// CHECK-LABEL: @other_means
// CHECK-NOT: _norm
// CHECK: func.return
func.func @other_means(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = "dnn.constant"() {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %m = "dnn.reduce_mean"(%x) {axes = array<i64: 0>, keepdims = true} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %d = "dnn.sub"(%x, %m) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %q = "dnn.mul"(%d, %d) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %v = "dnn.reduce_mean"(%q) {axes = array<i64: 0>, keepdims = true} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %ve = "dnn.add"(%v, %e) : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %sd = "dnn.sqrt"(%ve) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %first = "dnn.div"(%d, %sd) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %xx = "dnn.mul"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %sum = "dnn.reduce_sum"(%xx) {axes = array<i64: 1>, keepdims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %length = "dnn.sqrt"(%sum) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %second = "dnn.div"(%x, %length) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %rows = "dnn.reduce_mean"(%q) {axes = array<i64: 1>, keepdims = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %re = "dnn.add"(%rows, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %rd = "dnn.sqrt"(%re) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %third = "dnn.div"(%x, %rd) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %first, %second, %third : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// The scale has an element for each row, and the sums of integers one of each row, too.

// CHECK-LABEL: @row_scales
// CHECK: "dnn.matmul_integer"
// CHECK-NOT: scaled_matmul
// CHECK: func.return
func.func @row_scales(%q: tensor<2x8xui8>, %w: tensor<8x3xi8>, %s: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %p = "dnn.matmul_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x8xui8>, tensor<8x3xi8>) -> tensor<2x3xi32>
  %c = "dnn.cast"(%p) : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %m = "dnn.mul"(%c, %s) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %m : tensor<2x3xf32>
}

// What is added differs along the last axis, which is not that of the channels: the sums are scaled, and no more.

// CHECK-LABEL: @rows_of_places
// CHECK: %m = "dnn.scaled_conv_integer"(%q, %w, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
// CHECK-NEXT: %y = "dnn.add"(%m, %b)
func.func @rows_of_places(%q: tensor<1x8x9x9xui8>, %w: tensor<7x8x3x3xi8>, %s: tensor<f32>, %b: tensor<7xf32>) -> tensor<1x7x7x7xf32> {
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x8x9x9xui8>, tensor<7x8x3x3xi8>) -> tensor<1x7x7x7xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x7xi32>) -> tensor<1x7x7x7xf32>
  %m = "dnn.mul"(%c, %s) : (tensor<1x7x7x7xf32>, tensor<f32>) -> tensor<1x7x7x7xf32>
  %y = "dnn.add"(%m, %b) : (tensor<1x7x7x7xf32>, tensor<7xf32>) -> tensor<1x7x7x7xf32>
  func.return %y : tensor<1x7x7x7xf32>
}

// The slope of a hard_sigmoid is no bound.

// CHECK-LABEL: @sloped_bound
// CHECK: %m = "dnn.scaled_conv_integer"(%q, %w, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
// CHECK-NEXT: %y = "dnn.hard_sigmoid"(%m)
func.func @sloped_bound(%q: tensor<1x8x9xui8>, %w: tensor<7x8x3xi8>, %s: tensor<f32>) -> tensor<1x7x7xf32> {
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x8x9xui8>, tensor<7x8x3xi8>) -> tensor<1x7x7xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7xi32>) -> tensor<1x7x7xf32>
  %m = "dnn.mul"(%c, %s) : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<1x7x7xf32>
  %y = "dnn.hard_sigmoid"(%m) : (tensor<1x7x7xf32>) -> tensor<1x7x7xf32>
  func.return %y : tensor<1x7x7xf32>
}

// The runtime's kernel of few outputs has no tanh.
// CHECK-LABEL: @row_kernel
// CHECK: "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} :
func.func @row_kernel(%x: tensor<1x4x20x20xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x20x20xf32> {
  %y = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x20x20xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x20x20xf32>
  %n = "dnn.tanh"(%y) : (tensor<1x4x20x20xf32>) -> tensor<1x4x20x20xf32>
  func.return %n : tensor<1x4x20x20xf32>
}

// The bias in front of a normalisation is no constant: the sums are scaled and shifted, and no more.

// CHECK-LABEL: @normalised_argument
// CHECK: %e = "dnn.scaled_conv_integer"(%q, %w, %s, %a) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1>, channels_last = true}
// CHECK-NEXT: %y = "dnn.batch_norm"(%e, %f, %f, %f, %f)
func.func @normalised_argument(%q: tensor<1x9x9x8xui8>, %w: tensor<2x3x3x8xi8>, %s: tensor<f32>, %a: tensor<2xf32>) -> tensor<1x7x7x2xf32> {
  %f = "dnn.constant"() {value = dense<[4.0, 8.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, channels_last = true} : (tensor<1x9x9x8xui8>, tensor<2x3x3x8xi8>) -> tensor<1x7x7x2xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x2xi32>) -> tensor<1x7x7x2xf32>
  %d = "dnn.mul"(%c, %s) : (tensor<1x7x7x2xf32>, tensor<f32>) -> tensor<1x7x7x2xf32>
  %e = "dnn.add"(%d, %a) : (tensor<1x7x7x2xf32>, tensor<2xf32>) -> tensor<1x7x7x2xf32>
  %y = "dnn.batch_norm"(%e, %f, %f, %f, %f) {channels_last = true} : (tensor<1x7x7x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x7x7x2xf32>
  func.return %y : tensor<1x7x7x2xf32>
}

// A view of the sums is scaled, and what is added to it is no number for each channel: the sums are scaled, and no more.

// CHECK-LABEL: @row_of_a_view
// CHECK: %[[M:.*]] = "dnn.scaled_conv_integer"(%q, %w, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
// CHECK-NEXT: %m = "dnn.reshape"(%[[M]])
// CHECK-NEXT: %y = "dnn.add"(%m, %b)
func.func @row_of_a_view(%q: tensor<1x8x9x9xui8>, %w: tensor<7x8x3x3xi8>, %s: tensor<f32>, %b: tensor<1x7x1xf32>) -> tensor<1x7x49xf32> {
  %p = "dnn.conv_integer"(%q, %w) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x8x9x9xui8>, tensor<7x8x3x3xi8>) -> tensor<1x7x7x7xi32>
  %c = "dnn.cast"(%p) : (tensor<1x7x7x7xi32>) -> tensor<1x7x7x7xf32>
  %r = "dnn.reshape"(%c) : (tensor<1x7x7x7xf32>) -> tensor<1x7x49xf32>
  %m = "dnn.mul"(%r, %s) : (tensor<1x7x49xf32>, tensor<f32>) -> tensor<1x7x49xf32>
  %y = "dnn.add"(%m, %b) : (tensor<1x7x49xf32>, tensor<1x7x1xf32>) -> tensor<1x7x49xf32>
  func.return %y : tensor<1x7x49xf32>
}
