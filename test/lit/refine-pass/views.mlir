// A dense part of a constant is a view of it where the pass is told so, and else a constant of its own.

// RUN: opt-tool --refine-pass=views=true --split-input-file %s | filecheck %s
// RUN: opt-tool --refine-pass --split-input-file %s | filecheck %s --check-prefix=OWN

// Rows by consecutive numbers, which may be a part of a constant themselves. The view runs on no engine.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %t = "dnn.constant"()
// CHECK-NEXT:    %r = "dnn.slice"(%t) {starts = array<i64: 1>, ends = array<i64: 3>, axes = array<i64: 0>, steps = array<i64: 1>} : (tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:    %r_1 = "dnn.reshape"(%r) : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
// CHECK-NEXT:    %y = "dnn.add"(%x, %r_1)
// OWN-LABEL: func.func @rows(
// OWN-NEXT:    %r = "dnn.constant"() {{.*}} : () -> tensor<1x2x2xf32>
// OWN-NEXT:    %y = "dnn.add"(%x, %r)
builtin.module attributes {dnn.unrefined} {
  func.func @rows(%x: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
    %t = "dnn.constant"() {value = dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
    %n = "dnn.constant"() {value = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : () -> tensor<1x4xi64>
    %i = "dnn.slice"(%n) {starts = array<i64: 1>, ends = array<i64: 3>, axes = array<i64: 1>, steps = array<i64: 1>} : (tensor<1x4xi64>) -> tensor<1x2xi64>
    %r = "dnn.gather"(%t, %i) {axis = 0 : i64, dnn.engine = "native"} : (tensor<4x2xf32>, tensor<1x2xi64>) -> tensor<1x2x2xf32>
    %y = "dnn.add"(%x, %r) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    func.return %y : tensor<1x2x2xf32>
  }
}

// -----

// Columns of several rows are not dense, rows in another order are no part, and small integers may be sizes.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    %c = "dnn.constant"() {{.*}} : () -> tensor<2x2xf32>
// CHECK-NEXT:    %r = "dnn.constant"() {{.*}} : () -> tensor<2x3xf32>
// CHECK-NEXT:    %n = "dnn.constant"() {value = dense<[3, 4]> : tensor<2xi64>{{.*}}} : () -> tensor<2xi64>
// CHECK-NEXT:    %y = "dnn.add"(%x, %c)
// OWN-LABEL: func.func @others(
builtin.module attributes {dnn.unrefined} {
  func.func @others(%x: tensor<2x2xf32>, %z: tensor<2x3xf32>, %p: tensor<2xi64>)
      -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2xi64>) {
    %t = "dnn.constant"() {value = dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %s = "dnn.constant"() {value = dense<[2, 3, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
    %i = "dnn.constant"() {value = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
    %j = "dnn.constant"() {value = dense<[1, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
    %c = "dnn.gather"(%t, %i) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x2xf32>
    %r = "dnn.gather"(%t, %j) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
    %n = "dnn.gather"(%s, %i) {axis = 0 : i64} : (tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
    %y = "dnn.add"(%x, %c) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %w = "dnn.add"(%z, %r) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %q = "dnn.add"(%p, %n) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    func.return %y, %w, %q : tensor<2x2xf32>, tensor<2x3xf32>, tensor<2xi64>
  }
}

// -----

// Rows of a value that is no constant are gathered, unless they are all: the reshape in their place runs on no engine.
// CHECK-LABEL: func.func @given(
// CHECK:         "dnn.gather"(%x,
// CHECK-NEXT:    %w = "dnn.reshape"(%x) : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
// OWN-LABEL: func.func @given(
// OWN:         %w = "dnn.reshape"(%x) : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
builtin.module attributes {dnn.unrefined} {
  func.func @given(%x: tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x2x3xf32>) {
    %i = "dnn.constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
    %j = "dnn.constant"() {value = dense<[[0, 1]]> : tensor<1x2xi64>} : () -> tensor<1x2xi64>
    %y = "dnn.gather"(%x, %i) {axis = 0 : i64, dnn.engine = "native"} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
    %w = "dnn.gather"(%x, %j) {axis = 0 : i64, dnn.engine = "native"} : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<1x2x3xf32>
    func.return %y, %w : tensor<1x3xf32>, tensor<1x2x3xf32>
  }
}
