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
