// Convolutions, and ops between them, have their channels last; what others see is as it was.

// RUN: opt-tool --layout-pass %s | filecheck %s
// RUN: opt-tool --layout-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 17]]:8: remark: dnn.conv (c): computed with its channels last in memory
// REMARK: rewrites.mlir:[[# @LINE + 16]]:8: remark: dnn.transpose: %x is transposed, 5,184 bytes: dnn.conv reads it with its channels last
// REMARK: rewrites.mlir:[[# @LINE + 18]]:8: remark: dnn.transpose: %d is transposed, 6,272 bytes: func.return reads it with its channels second

// A batch normalisation in training between two convolutions; running statistics have no channels to turn. The bias of
// one number a channel is read under other sizes.

// CHECK-LABEL: @chain
// CHECK-NEXT: %[[X:[0-9]+]] = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x8x9x9xf32>) -> tensor<2x9x9x8xf32>
// CHECK-NEXT: %c = "dnn.conv"(%[[X]], %w) {pads = array<i64: 1, 1, 1, 1>, channels_last = true} : (tensor<2x9x9x8xf32>, tensor<16x8x3x3xf32>) -> tensor<2x9x9x16xf32>
// CHECK-NEXT: %n, %m1, %v1 = "dnn.batch_norm"(%c, %s, %b, %m, %v) {training_mode = true, channels_last = true}
// CHECK-NEXT: %[[K:[0-9]+]] = "dnn.reshape"(%k) {shape = array<i64: 1, 1, 1, 16>} : (tensor<16x1x1xf32>) -> tensor<1x1x1x16xf32>
// CHECK-NEXT: %a = "dnn.add"(%n, %[[K]]) : (tensor<2x9x9x16xf32>, tensor<1x1x1x16xf32>) -> tensor<2x9x9x16xf32>
// CHECK-NEXT: %[[D:[0-9]+]] = "dnn.conv"(%a, %u) {channels_last = true} : (tensor<2x9x9x16xf32>, tensor<16x16x3x3xf32>) -> tensor<2x7x7x16xf32>
// CHECK-NEXT: %d = "dnn.transpose"(%[[D]]) {perm = array<i64: 0, 3, 1, 2>} : (tensor<2x7x7x16xf32>) -> tensor<2x16x7x7xf32>
// CHECK-NEXT: func.return %d, %m1, %v1
func.func @chain(%x: tensor<2x8x9x9xf32>, %w: tensor<16x8x3x3xf32>, %u: tensor<16x16x3x3xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>, %k: tensor<16x1x1xf32>) -> (tensor<2x16x7x7xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x8x9x9xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x9x9xf32>
  %n, %m1, %v1 = "dnn.batch_norm"(%c, %s, %b, %m, %v) {training_mode = true} : (tensor<2x16x9x9xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x9x9xf32>, tensor<16xf32>, tensor<16xf32>)
  %a = "dnn.add"(%n, %k) : (tensor<2x16x9x9xf32>, tensor<16x1x1xf32>) -> tensor<2x16x9x9xf32>
  %d = "dnn.conv"(%a, %u) : (tensor<2x16x9x9xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x7x7xf32>
  func.return %d, %m1, %v1 : tensor<2x16x7x7xf32>, tensor<16xf32>, tensor<16xf32>
}

// One channel, and one place: no element is moved. The gradient has its channels last too.

// CHECK-LABEL: @one
// CHECK-NEXT: "dnn.reshape"(%x) {shape = array<i64: 4, 8, 8, 1>} : (tensor<4x1x8x8xf32>) -> tensor<4x8x8x1xf32>
// CHECK-NEXT: "dnn.conv"({{.*}}) {channels_last = true}
// CHECK-NEXT: "dnn.global_average_pool"({{.*}}) {channels_last = true} : (tensor<4x6x6x16xf32>) -> tensor<4x1x1x16xf32>
// CHECK-NEXT: %y = "dnn.reshape"({{.*}}) {shape = array<i64: 4, 16, 1, 1>}
func.func @one(%x: tensor<4x1x8x8xf32>, %w: tensor<16x1x3x3xf32> {dnn.trainable}) -> (tensor<4x16x1x1xf32>) {
  %c = "dnn.conv"(%x, %w) : (tensor<4x1x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<4x16x6x6xf32>
  %y = "dnn.global_average_pool"(%c) : (tensor<4x16x6x6xf32>) -> tensor<4x16x1x1xf32>
  func.return %y : tensor<4x16x1x1xf32>
}

// Sizes that are not known count as 1,024.

// CHECK-LABEL: @unknown
// CHECK-NEXT: %[[X:[0-9]+]] = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<?x64x?x?xf32>) -> tensor<?x?x?x64xf32>
// CHECK-NEXT: %[[Y:[0-9]+]] = "dnn.conv"(%[[X]], %w) {channels_last = true}
// CHECK-NEXT: %y = "dnn.transpose"(%[[Y]]) {perm = array<i64: 0, 3, 1, 2>}
func.func @unknown(%x: tensor<?x64x?x?xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<?x64x?x?xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<?x64x?x?xf32>, tensor<64x64x3x3xf32>) -> tensor<?x64x?x?xf32>
  func.return %y : tensor<?x64x?x?xf32>
}

// The fewest bytes are moved behind the pool, not before it; one transpose serves both readers.

// CHECK-LABEL: @cut
// CHECK: "dnn.conv"({{.*}}channels_last = true
// CHECK-NEXT: %[[P:[0-9]+]] = "dnn.max_pool"({{.*}}channels_last = true
// CHECK-NEXT: %p = "dnn.transpose"(%[[P]]) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x64xf32>) -> tensor<1x64x4x4xf32>
// CHECK-NEXT: %a = "dnn.flatten"(%p)
// CHECK-NEXT: %b = "dnn.cumsum"(%p
func.func @cut(%x: tensor<1x64x8x8xf32>, %w: tensor<64x64x3x3xf32>, %i: tensor<i64>) -> (tensor<1x1024xf32>, tensor<1x64x4x4xf32>) {
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x8x8xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x8x8xf32>
  %p = "dnn.max_pool"(%c) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x64x8x8xf32>) -> tensor<1x64x4x4xf32>
  %a = "dnn.flatten"(%p) : (tensor<1x64x4x4xf32>) -> tensor<1x1024xf32>
  %b = "dnn.cumsum"(%p) {axis = 2 : i64} : (tensor<1x64x4x4xf32>) -> tensor<1x64x4x4xf32>
  func.return %a, %b : tensor<1x1024xf32>, tensor<1x64x4x4xf32>
}

// Pairs of transposes cancel, and a transpose of a constant is a constant.

// CHECK-LABEL: @pairs
// CHECK-NEXT: %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>, channels_last = true}
// CHECK-NEXT: %[[K:[a-z0-9_]+]] = "dnn.constant"() {{.*}}tensor<1x1x2x64xf32>
// CHECK-NEXT: %s = "dnn.add"(%c, %[[K]]) : (tensor<1x8x2x64xf32>, tensor<1x1x2x64xf32>)
// CHECK-NEXT: func.return %s
func.func @pairs(%x: tensor<1x8x2x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x8x2x64xf32> {
  %k = "dnn.constant"() {value = dense<1.0> : tensor<1x64x1x2xf32>} : () -> tensor<1x64x1x2xf32>
  %f = "dnn.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x2x64xf32>) -> tensor<1x64x8x2xf32>
  %c = "dnn.conv"(%f, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x8x2xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x8x2xf32>
  %a = "dnn.add"(%c, %k) : (tensor<1x64x8x2xf32>, tensor<1x64x1x2xf32>) -> tensor<1x64x8x2xf32>
  %s = "dnn.transpose"(%a) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x64x8x2xf32>) -> tensor<1x8x2x64xf32>
  func.return %s : tensor<1x8x2x64xf32>
}

// Concat, split, slice, pad, softmax, reductions, resize and a slope by channel have their channels last too.

// CHECK-LABEL: @between
// CHECK: "dnn.prelu"({{.*}}) : (tensor<1x8x8x64xf32>, tensor<1x1x1x64xf32>)
// CHECK: "dnn.concat"({{.*}}) {axis = 3 : i64}
// CHECK: "dnn.softmax"({{.*}}) {axis = 3 : i64}
// CHECK: "dnn.pad"({{.*}}axes = array<i64: 0, 3, 1, 2>
// CHECK: "dnn.slice"({{.*}}axes = array<i64: 3>
// CHECK: "dnn.resize"({{.*}}axes = array<i64: 0, 3, 1, 2>
// CHECK: "dnn.reduce_mean"({{.*}}axes = array<i64: 1, 2>{{.*}}) -> tensor<1x64xf32>
// CHECK-NOT: dnn.transpose
// CHECK: func.return
func.func @between(%x: tensor<1x8x8x64xf32>, %w: tensor<64x64x3x3xf32>, %slope: tensor<64x1x1xf32>) -> tensor<1x64xf32> {
  %f = "dnn.transpose"(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x64xf32>) -> tensor<1x64x8x8xf32>
  %c = "dnn.conv"(%f, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x8x8xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x8x8xf32>
  %p = "dnn.prelu"(%c, %slope) : (tensor<1x64x8x8xf32>, tensor<64x1x1xf32>) -> tensor<1x64x8x8xf32>
  %d = "dnn.concat"(%p, %c) {axis = 1 : i64} : (tensor<1x64x8x8xf32>, tensor<1x64x8x8xf32>) -> tensor<1x128x8x8xf32>
  %s = "dnn.softmax"(%d) {axis = 1 : i64} : (tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32>
  %q = "dnn.pad"(%s) {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x128x8x8xf32>) -> tensor<1x128x10x10xf32>
  %t = "dnn.slice"(%q) {starts = array<i64: 0>, ends = array<i64: 64>, axes = array<i64: 1>} : (tensor<1x128x10x10xf32>) -> tensor<1x64x10x10xf32>
  %r = "dnn.resize"(%t) {mode = "nearest", scales = array<f32: 1.0, 1.0, 2.0, 2.0>} : (tensor<1x64x10x10xf32>) -> tensor<1x64x20x20xf32>
  %m = "dnn.reduce_mean"(%r) {axes = array<i64: 2, 3>} : (tensor<1x64x20x20xf32>) -> tensor<1x64xf32>
  func.return %m : tensor<1x64xf32>
}

// A body reads a value that is made outside of it: one transpose outside serves all runs.

// CHECK-LABEL: @body
// CHECK: %[[T:[0-9]+]] = "dnn.transpose"(%x)
// CHECK: scf.if
// CHECK: "dnn.conv"(%[[T]], %w) {channels_last = true}
// CHECK: "dnn.transpose"
// CHECK-NEXT: scf.yield
func.func @body(%p: i1, %x: tensor<2x64x9x9xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32> {
  %y = scf.if %p -> (tensor<2x64x7x7xf32>) {
    %c = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32>
    scf.yield %c : tensor<2x64x7x7xf32>
  } else {
    %e = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32>
    %r = "dnn.relu"(%e) : (tensor<2x64x7x7xf32>) -> tensor<2x64x7x7xf32>
    scf.yield %r : tensor<2x64x7x7xf32>
  }
  func.return %y : tensor<2x64x7x7xf32>
}

// Attention: products read queries, keys and values, and write the result, where they are. The scale of the queries is
// computed before the transpose; the sizes of one are read as before.

// CHECK-LABEL: @attention
// CHECK-NEXT: %[[C:c[0-9]*]] = "dnn.constant"
// CHECK-NEXT: %[[T:[a-z0-9]+]] = "dnn.transpose"(%k) {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: %n = "dnn.shape"(%[[T]])
// CHECK-NEXT: %[[U:[a-z0-9]+]] = "dnn.mul"(%q, %[[C]]) : (tensor<?x?x4x24xf32>, tensor<f32>) -> tensor<?x?x4x24xf32>
// CHECK-NEXT: %s = "dnn.matmul"(%[[U]], %k) {permB = array<i64: 0, 2, 3, 1>, permA = array<i64: 0, 2, 1, 3>} : (tensor<?x?x4x24xf32>, tensor<?x?x4x24xf32>) -> tensor<?x4x?x?xf32>
// CHECK-NEXT: %p = "dnn.softmax"(%s)
// CHECK-NEXT: %y = "dnn.matmul"(%p, %v) {perm = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 1, 3>} : (tensor<?x4x?x?xf32>, tensor<?x?x4x24xf32>) -> tensor<?x?x4x24xf32>
// CHECK-NEXT: func.return %y, %n
func.func @attention(%q: tensor<?x?x4x24xf32>, %k: tensor<?x?x4x24xf32>, %v: tensor<?x?x4x24xf32>) -> (tensor<?x?x4x24xf32>, tensor<4xi64>) {
  %c = "dnn.constant"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %a = "dnn.transpose"(%q) {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x?x4x24xf32>) -> tensor<?x4x?x24xf32>
  %t = "dnn.transpose"(%k) {perm = array<i64: 0, 2, 3, 1>} : (tensor<?x?x4x24xf32>) -> tensor<?x4x24x?xf32>
  %b = "dnn.transpose"(%v) {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x?x4x24xf32>) -> tensor<?x4x?x24xf32>
  %n = "dnn.shape"(%t) : (tensor<?x4x24x?xf32>) -> tensor<4xi64>
  %u = "dnn.mul"(%a, %c) : (tensor<?x4x?x24xf32>, tensor<f32>) -> tensor<?x4x?x24xf32>
  %s = "dnn.matmul"(%u, %t) : (tensor<?x4x?x24xf32>, tensor<?x4x24x?xf32>) -> tensor<?x4x?x?xf32>
  %p = "dnn.softmax"(%s) {axis = -1 : i64} : (tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  %o = "dnn.matmul"(%p, %b) : (tensor<?x4x?x?xf32>, tensor<?x4x?x24xf32>) -> tensor<?x4x?x24xf32>
  %y = "dnn.transpose"(%o) {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x4x?x24xf32>) -> tensor<?x?x4x24xf32>
  func.return %y, %n : tensor<?x?x4x24xf32>, tensor<4xi64>
}

// Reshapes around a transpose of matrices: the exporter's way to write one of all batches.

// CHECK-LABEL: @merged
// CHECK-NEXT: %y = "dnn.matmul"(%q, %k) {transB = 1 : i64, permB = array<i64: 0, 2, 1, 3>}
func.func @merged(%q: tensor<2x4x5x8xf32>, %k: tensor<2x5x4x8xf32>) -> tensor<2x4x5x5xf32> {
  %a = "dnn.transpose"(%k) {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x5x4x8xf32>) -> tensor<2x4x5x8xf32>
  %r = "dnn.reshape"(%a) {shape = array<i64: -1, 5, 8>} : (tensor<2x4x5x8xf32>) -> tensor<8x5x8xf32>
  %t = "dnn.transpose"(%r) {perm = array<i64: 0, 2, 1>} : (tensor<8x5x8xf32>) -> tensor<8x8x5xf32>
  %b = "dnn.reshape"(%t) {shape = array<i64: 2, 4, 8, 5>} : (tensor<8x8x5xf32>) -> tensor<2x4x8x5xf32>
  %y = "dnn.matmul"(%q, %b) : (tensor<2x4x5x8xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x5x5xf32>
  func.return %y : tensor<2x4x5x5xf32>
}

// A softmax along channels, without a convolution: the runtime's kernel computes it where they are.

// CHECK-LABEL: @distribution
// CHECK-NEXT: %y = "dnn.softmax"(%x) {axis = 1 : i64}
func.func @distribution(%x: tensor<1x16x4x20xf32>) -> tensor<1x16x4x20xf32> {
  %y = "dnn.softmax"(%x) {axis = 1 : i64} : (tensor<1x16x4x20xf32>) -> tensor<1x16x4x20xf32>
  func.return %y : tensor<1x16x4x20xf32>
}

// The runtime's kernel of few outputs is faster with the channels second: between an input and a result of the function
// it moves nothing. Where more bytes would be moved for it, as behind the last convolution, channels are last.

// CHECK-LABEL: @few_outputs
// CHECK-NEXT: %a = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x64x64xf32>, tensor<12x3x3x3xf32>) -> tensor<1x12x64x64xf32>
// CHECK-NEXT: %b = "dnn.relu"(%a) : (tensor<1x12x64x64xf32>)
// CHECK-NEXT: %c = "dnn.conv"(%b, %u) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x12x64x64xf32>, tensor<8x12x3x3xf32>)
// CHECK-NEXT: func.return %c
func.func @few_outputs(%x: tensor<1x3x64x64xf32>, %w: tensor<12x3x3x3xf32>, %u: tensor<8x12x3x3xf32>) -> tensor<1x8x64x64xf32> {
  %a = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x64x64xf32>, tensor<12x3x3x3xf32>) -> tensor<1x12x64x64xf32>
  %b = "dnn.relu"(%a) : (tensor<1x12x64x64xf32>) -> tensor<1x12x64x64xf32>
  %c = "dnn.conv"(%b, %u) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x12x64x64xf32>, tensor<8x12x3x3xf32>) -> tensor<1x8x64x64xf32>
  func.return %c : tensor<1x8x64x64xf32>
}

// CHECK-LABEL: @few_outputs_between
// CHECK-NEXT: %[[X:.*]] = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: %a = "dnn.conv"(%[[X]], %w) {pads = array<i64: 1, 1, 1, 1>, channels_last = true}
// CHECK-NEXT: "dnn.conv"(%a, %v) {pads = array<i64: 1, 1, 1, 1>, channels_last = true}
func.func @few_outputs_between(%x: tensor<1x3x64x64xf32>, %w: tensor<12x3x3x3xf32>, %v: tensor<256x12x3x3xf32>) -> tensor<1x256x1x1xf32> {
  %a = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x64x64xf32>, tensor<12x3x3x3xf32>) -> tensor<1x12x64x64xf32>
  %d = "dnn.conv"(%a, %v) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x12x64x64xf32>, tensor<256x12x3x3xf32>) -> tensor<1x256x64x64xf32>
  %y = "dnn.global_average_pool"(%d) : (tensor<1x256x64x64xf32>) -> tensor<1x256x1x1xf32>
  func.return %y : tensor<1x256x1x1xf32>
}

// What is quantised while the model runs has its channels last with the convolutions of bytes on both sides, although the
// scale and the zero point are numbers of all of its elements. An argument is transposed as bytes, a quarter of its f32.

// CHECK-LABEL: @quantised_in_the_run
// CHECK-NEXT: %q, %s, %z = "dnn.dynamic_quantize_linear"(%x)
// CHECK-NEXT: %[[X:.*]] = "dnn.transpose"(%q) {perm = array<i64: 0, 2, 3, 1>}
// CHECK: "dnn.conv_integer"(%[[X]], {{.*}}channels_last = true
// CHECK-NOT: dnn.transpose
// CHECK: "dnn.max_pool"({{.*}}channels_last = true
// CHECK-NOT: dnn.transpose
// CHECK: "dnn.dynamic_quantize_linear"({{.*}} -> (tensor<1x8x8x16xui8>, tensor<f32>, tensor<ui8>)
// CHECK-NOT: dnn.transpose
// CHECK: "dnn.conv_integer"({{.*}}channels_last = true
func.func @quantised_in_the_run(%x: tensor<1x16x9x9xf32>, %b: tensor<1x16x1x1xf32>) -> tensor<1x16x6x6xi32> {
  %w = "dnn.constant"() {value = dense<1> : tensor<16x16x3x3xi8>} : () -> tensor<16x16x3x3xi8>
  %q, %s, %z = "dnn.dynamic_quantize_linear"(%x) : (tensor<1x16x9x9xf32>) -> (tensor<1x16x9x9xui8>, tensor<f32>, tensor<ui8>)
  %c = "dnn.conv_integer"(%q, %w, %z) {operandSegmentSizes = array<i32: 1, 1, 1, 0>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x9x9xui8>, tensor<16x16x3x3xi8>, tensor<ui8>) -> tensor<1x16x9x9xi32>
  %f = "dnn.cast"(%c) : (tensor<1x16x9x9xi32>) -> tensor<1x16x9x9xf32>
  %m = "dnn.mul"(%f, %s) : (tensor<1x16x9x9xf32>, tensor<f32>) -> tensor<1x16x9x9xf32>
  %a = "dnn.add"(%m, %b) : (tensor<1x16x9x9xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x9x9xf32>
  %p = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2, 2>} : (tensor<1x16x9x9xf32>) -> tensor<1x16x8x8xf32>
  %r, %t, %n = "dnn.dynamic_quantize_linear"(%p) : (tensor<1x16x8x8xf32>) -> (tensor<1x16x8x8xui8>, tensor<f32>, tensor<ui8>)
  %y = "dnn.conv_integer"(%r, %w, %n) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<1x16x8x8xui8>, tensor<16x16x3x3xi8>, tensor<ui8>) -> tensor<1x16x6x6xi32>
  func.return %y : tensor<1x16x6x6xi32>
}
