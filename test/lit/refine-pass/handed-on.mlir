// Readers of a view that is all of its operand, in the same order and shape, read the operand.
// RUN: opt-tool --refine-pass %s | filecheck %s
// RUN: opt-tool --refine-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: handed-on.mlir:[[# @LINE + 11]]:8: remark: dnn.slice (a): its operand is read in its place: it is the same
// REMARK: handed-on.mlir:[[# @LINE + 12]]:8: remark: dnn.identity (c): its operand is read in its place: it is the same

// A result of a function has a name and stays.
// CHECK-LABEL: func.func @same(
// CHECK-NEXT:    %b = "dnn.relu"(%x)
// CHECK-NEXT:    %c = "dnn.identity"(%b)
// CHECK-NEXT:    %e = "dnn.sigmoid"(%b)
// CHECK-NEXT:    func.return %e, %c
func.func @same(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  // The largest i32 is the end, as ONNX has it.
  %a = "dnn.slice"(%x) {starts = array<i64: 0, 0>, ends = array<i64: 2147483647, 4>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = "dnn.relu"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = "dnn.identity"(%b) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = "dnn.reshape"(%c) {shape = array<i64: -1, 4>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = "dnn.sigmoid"(%d) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %e, %c : tensor<?x4xf32>, tensor<?x4xf32>
}

// Two sizes that are not known may be others than those of the operand; a square may be transposed; a slice may leave
// out elements at the front, or read them backwards.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    %a = "dnn.reshape"(%x)
// CHECK-NEXT:    %b = "dnn.transpose"(%y)
// CHECK-NEXT:    %c = "dnn.slice"(%y)
// CHECK-NEXT:    "dnn.relu"(%a)
// CHECK-NEXT:    "dnn.relu"(%b)
// CHECK-NEXT:    "dnn.relu"(%c)
func.func @others(%x: tensor<?x?xf32>, %y: tensor<4x4xf32>) -> (tensor<?x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = "dnn.reshape"(%x) {shape = array<i64: -1, 2>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = "dnn.transpose"(%y) {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = "dnn.slice"(%y) {starts = array<i64: -1>, ends = array<i64: -10>, axes = array<i64: 0>, steps = array<i64: -1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = "dnn.relu"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = "dnn.relu"(%b) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = "dnn.relu"(%c) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %d, %e, %f : tensor<?x?xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
