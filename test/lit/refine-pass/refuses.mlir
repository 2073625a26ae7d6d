// What is not known, and what has been decided, stays.

// RUN: opt-tool --refine-pass %s | filecheck %s
// RUN: opt-tool --refine-pass --remarks %s 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The axis is known at run time only; the size of the result is that of the operand whatever it is.
// CHECK-LABEL: func.func @axis(
// CHECK-NEXT:    %y = "dnn.dynamic"(%x, %axis) {op = "cumsum", names = ["axis"]} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
func.func @axis(%x: tensor<2x3xf32>, %axis: tensor<i64>) -> tensor<2x3xf32> {
  %y = "dnn.dynamic"(%x, %axis) {op = "cumsum", names = ["axis"]} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// The shape depends on elements of an argument, and the size of the other one is not known yet.
// CHECK-LABEL: func.func @later(
// CHECK-NEXT:    %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
func.func @later(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %y = "dnn.dynamic"(%x, %shape) {op = "reshape", names = ["shape"]} : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}

// An op that carries a decision is not folded.
// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:    %b = "dnn.constant"()
// CHECK-NEXT:    %c = "dnn.neg"(%b) {dnn.inplace = array<i32: 0>} : (tensor<2xf32>) -> tensor<2xf32>
// REMARK: refuses.mlir:[[# @LINE + 3]]:8: remark: dnn.constant (a/exp): dnn.exp is computed now
func.func @decided() -> tensor<2xf32> {
  %a = "dnn.constant"() {value = dense<[0.0, 0.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "dnn.exp"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %c = "dnn.neg"(%b) {dnn.inplace = array<i32: 0>} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %c : tensor<2xf32>
}

// Places with a gap between them are no box; a decision holds for the op that is there.
// CHECK-LABEL: func.func @gap(
// CHECK:         %a = "dnn.scatter_nd"(%x, %places, %u)
// CHECK:         %y = "dnn.scatter_nd"(%a, %box, %u) {dnn.inplace = array<i32: 0>}
func.func @gap(%x: tensor<4x3xf32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %places = "dnn.constant"() {value = dense<[[0], [2]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %a = "dnn.scatter_nd"(%x, %places, %u) : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %box = "dnn.constant"() {value = dense<[[0], [1]]> : tensor<2x1xi64>} : () -> tensor<2x1xi64>
  %y = "dnn.scatter_nd"(%a, %box, %u) {dnn.inplace = array<i32: 0>} : (tensor<4x3xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// A convolution keeps what is not zeros, what is no place of its window, what windows miss, and what is read elsewhere.
// CHECK-LABEL: func.func @pads(
// CHECK-COUNT-5: "dnn.pad"(
// CHECK-NOT:     pads = array<i64: 1, 1>} : (tensor<1x2x4xf32>
func.func @pads(%x: tensor<1x2x4xf32>, %w: tensor<1x2x2xf32>, %v: tensor<1x3x2xf32>) -> (
    tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x3xf32>, tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x2x6xf32>
) {
  %a = "dnn.pad"(%x) {pads = array<i64: 0, 0, 1, 0, 0, 1>, value = 2.0 : f32} : (tensor<1x2x4xf32>) -> tensor<1x2x6xf32>
  %ya = "dnn.conv"(%a, %w) : (tensor<1x2x6xf32>, tensor<1x2x2xf32>) -> tensor<1x1x5xf32>
  %b = "dnn.pad"(%x) {pads = array<i64: 0, 0, 1, 0, 0, 1>, mode = "edge"} : (tensor<1x2x4xf32>) -> tensor<1x2x6xf32>
  %yb = "dnn.conv"(%b, %w) : (tensor<1x2x6xf32>, tensor<1x2x2xf32>) -> tensor<1x1x5xf32>
  %c = "dnn.pad"(%x) {pads = array<i64: 0, 1, 0, 0, 0, 0>} : (tensor<1x2x4xf32>) -> tensor<1x3x4xf32>
  %yc = "dnn.conv"(%c, %v) : (tensor<1x3x4xf32>, tensor<1x3x2xf32>) -> tensor<1x1x3xf32>
  %d = "dnn.pad"(%x) {pads = array<i64: 0, 0, 2, 0, 0, 0>} : (tensor<1x2x4xf32>) -> tensor<1x2x6xf32>
  %yd = "dnn.conv"(%d, %w) : (tensor<1x2x6xf32>, tensor<1x2x2xf32>) -> tensor<1x1x5xf32>
  %e = "dnn.pad"(%x) {pads = array<i64: 0, 0, 1, 0, 0, 1>} : (tensor<1x2x4xf32>) -> tensor<1x2x6xf32>
  %ye = "dnn.conv"(%e, %w) : (tensor<1x2x6xf32>, tensor<1x2x2xf32>) -> tensor<1x1x5xf32>
  %ze = "dnn.relu"(%e) : (tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  func.return %ya, %yb, %yc, %yd, %ye, %ze : tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x3xf32>, tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x2x6xf32>
}

// A number that the function counts decides the sizes of rows, and of what is computed from them.
// CHECK-LABEL: func.func @counted(
// CHECK-NEXT:    %places, %count = "dnn.non_zero"(%x)
// CHECK-NEXT:    %rows = "dnn.leading_rows"(%places, %count) : (tensor<100x1xi64>, tensor<i64>) -> tensor<?x1xi64>
// CHECK-NEXT:    %y = "dnn.neg"(%rows) : (tensor<?x1xi64>) -> tensor<?x1xi64>
func.func @counted(%x: tensor<100xf32>) -> tensor<?x1xi64> {
  %places, %count = "dnn.non_zero"(%x) : (tensor<100xf32>) -> (tensor<100x1xi64>, tensor<i64>)
  %rows = "dnn.leading_rows"(%places, %count) : (tensor<100x1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %y = "dnn.neg"(%rows) : (tensor<?x1xi64>) -> tensor<?x1xi64>
  func.return %y : tensor<?x1xi64>
}
