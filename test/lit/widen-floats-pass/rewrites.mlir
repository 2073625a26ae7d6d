// What is computed in f16 is computed in f32; casts are where the fewest bytes are cast.

// RUN: opt-tool --widen-floats-pass %s | filecheck %s
// RUN: opt-tool --widen-floats-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 16]]:8: remark: dnn.cast: %x is cast, 1,536 bytes: dnn.conv reads it in another type
// REMARK: remark: dnn.conv (c): computed in f32
// REMARK: remark: dnn.relu (r): computed in f32
// REMARK: remark: dnn.cast: %r is cast, 1,536 bytes: dnn.concat reads it in another type

// A constant is cast once, while compiling. The concat moves elements of f16 to a result of f16.

// CHECK-LABEL: @convolution
// CHECK-NEXT: %[[X:.*]] = "dnn.cast"(%x) : (tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT: %[[W:.*]] = "dnn.constant"() {value = dense<5.000000e-01> : tensor<4x4x3x3xf32>
// CHECK-NEXT: %c = "dnn.conv"(%[[X]], %[[W]]) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT: %[[R:.*]] = "dnn.relu"(%c) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT: %r = "dnn.cast"(%[[R]])
// CHECK-NEXT: %y = "dnn.concat"(%r, %x)
func.func @convolution(%x: tensor<1x4x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %w = "dnn.constant"() {value = dense<0.5> : tensor<4x4x3x3xf16>} : () -> tensor<4x4x3x3xf16>
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf16>, tensor<4x4x3x3xf16>) -> tensor<1x4x8x8xf16>
  %r = "dnn.relu"(%c) : (tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16>
  %y = "dnn.concat"(%r, %x) {axis = 1 : i64} : (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) -> tensor<1x8x8x8xf16>
  func.return %y : tensor<1x8x8x8xf16>
}

// Casts that the model has go, and so does the rounding between two ops. What moves elements between ops of f32 does so
// in f32.

// CHECK-LABEL: @between
// CHECK-NEXT: %[[E:.*]] = "dnn.exp"(%x) : (tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[T:.*]] = "dnn.transpose"(%[[E]]) {perm = array<i64: 1, 0>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: %[[P:.*]] = "dnn.concat"(%[[T]], %[[T]]) {axis = 0 : i64} : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<12x2xf32>
// CHECK-NEXT: %[[Y:.*]] = "dnn.softmax"(%[[P]]) {axis = -1 : i64} : (tensor<12x2xf32>) -> tensor<12x2xf32>
// CHECK-NEXT: func.return %[[Y]]
func.func @between(%x: tensor<2x6xf32>) -> tensor<12x2xf32> {
  %h = "dnn.cast"(%x) : (tensor<2x6xf32>) -> tensor<2x6xf16>
  %e = "dnn.exp"(%h) : (tensor<2x6xf16>) -> tensor<2x6xf16>
  %t = "dnn.transpose"(%e) {perm = array<i64: 1, 0>} : (tensor<2x6xf16>) -> tensor<6x2xf16>
  %p = "dnn.concat"(%t, %t) {axis = 0 : i64} : (tensor<6x2xf16>, tensor<6x2xf16>) -> tensor<12x2xf16>
  %s = "dnn.softmax"(%p) {axis = -1 : i64} : (tensor<12x2xf16>) -> tensor<12x2xf16>
  %y = "dnn.cast"(%s) : (tensor<12x2xf16>) -> tensor<12x2xf32>
  func.return %y : tensor<12x2xf32>
}

// The half of the input that is read is cast, not the whole of it. Results of other types stay; sizes are not known.

// CHECK-LABEL: @part
// CHECK-NEXT: %[[P:.*]] = "dnn.slice"(%x) {{{.*}}} : (tensor<?x8xf16>) -> tensor<?x4xf16>
// CHECK-NEXT: %[[C:.*]] = "dnn.cast"(%[[P]]) : (tensor<?x4xf16>) -> tensor<?x4xf32>
// CHECK-NEXT: %y = "dnn.arg_max"(%[[C]]) {{{.*}}} : (tensor<?x4xf32>) -> tensor<?xi64>
// CHECK-NEXT: func.return %y : tensor<?xi64>
func.func @part(%x: tensor<?x8xf16>) -> tensor<?xi64> {
  %p = "dnn.slice"(%x) {dim = 1 : i64, start = 0 : i64, end = 4 : i64, step = 1 : i64} : (tensor<?x8xf16>) -> tensor<?x4xf16>
  %y = "dnn.arg_max"(%p) {axis = 1 : i64, keepdims = false} : (tensor<?x4xf16>) -> tensor<?xi64>
  func.return %y : tensor<?xi64>
}

// What a loop carries stays f16: each iteration casts it.

// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} -> (tensor<4xf16>)
// CHECK-NEXT: %[[C:.*]] = "dnn.cast"(%{{.*}}) : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-NEXT: %[[E:.*]] = "dnn.exp"(%[[C]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %{{.*}} = "dnn.cast"(%[[E]]) : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: scf.yield
func.func @loop(%x: tensor<4xf16>, %n: index) -> tensor<4xf16> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> (tensor<4xf16>) {
    %e = "dnn.exp"(%v) : (tensor<4xf16>) -> tensor<4xf16>
    scf.yield %e : tensor<4xf16>
  }
  func.return %y : tensor<4xf16>
}

// Numbers of activations that are written as several ops are rounded to f16: sqrt 2 is 1.4140625, and 1/6 is 0.1666. In f32
// they would be others.

// CHECK-LABEL: @spelt_out
// CHECK: "dnn.gelu"(%{{.*}}) : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: "dnn.hard_swish"(%{{.*}}) : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @spelt_out(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %root = "dnn.constant"() {value = dense<1.4140625> : tensor<f16>} : () -> tensor<f16>
  %one = "dnn.constant"() {value = dense<1.0> : tensor<f16>} : () -> tensor<f16>
  %half = "dnn.constant"() {value = dense<0.5> : tensor<f16>} : () -> tensor<f16>
  %sixth = "dnn.constant"() {value = dense<0.1666> : tensor<f16>} : () -> tensor<f16>
  %d = "dnn.div"(%x, %root) : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
  %e = "dnn.erf"(%d) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %a = "dnn.add"(%e, %one) : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
  %m = "dnn.mul"(%x, %a) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %g = "dnn.mul"(%m, %half) : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
  %l = "dnn.mul"(%g, %sixth) : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
  %s = "dnn.add"(%l, %half) : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
  %c = "dnn.clip"(%s) {min = 0.0 : f32, max = 1.0 : f32} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %y = "dnn.mul"(%g, %c) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  func.return %y : tensor<4x8xf16>
}
