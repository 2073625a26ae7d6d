// Values that share nothing have numbers of their own.

// RUN: opt-tool --alias-pass %s | filecheck %s

// A kernel's result is fresh memory, and so are a copy and a view that was made one.
// CHECK-LABEL: func.func @fresh(
// CHECK-NEXT:  %a = "dnn.relu"(%x) {dnn.alias_class = array<i32: 1>} :
// CHECK-NEXT:  %b = "dnn.copy"(%a) {dnn.alias_class = array<i32: 2>} :
// CHECK-NEXT:  %c = "dnn.identity"(%a) {dnn.copy, dnn.alias_class = array<i32: 3>} :
// CHECK-NEXT:  %d = "dnn.slice_scatter"(%a, %c) {end = 4 : i64, dnn.alias_class = array<i32: 4>} :
// CHECK-NEXT:  %e = "dnn.concat"(%a, %b) {dnn.alias_class = array<i32: 5>} :
func.func @fresh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.copy"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.identity"(%a) {dnn.copy} : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.slice_scatter"(%a, %c) {end = 4 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = "dnn.concat"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %a : tensor<4xf32>
}

// A view of a transposed value that has no strided map is a copy.
// CHECK-LABEL: func.func @no_map(
// CHECK-NEXT:  %t = "dnn.transpose"(%x) {perm = array<i64: 1, 0>, dnn.alias_class = array<i32: 0>} :
// CHECK-NEXT:  %r = "dnn.reshape"(%t) {dnn.alias_class = array<i32: 1>} :
func.func @no_map(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %t = "dnn.transpose"(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = "dnn.reshape"(%t) : (tensor<3x2xf32>) -> tensor<6xf32>
  func.return %r : tensor<6xf32>
}

// A decision that another overrules does not count: a number is stronger than an operand.
// CHECK-LABEL: func.func @overruled(
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>, dnn.reuse = array<i32: 2>, dnn.alias_class = array<i32: 1>} :
func.func @overruled(%x: tensor<4xf32> {dnn.donated}) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>, dnn.reuse = array<i32: 2>} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// Arguments are never each other, and what carries no bytes is in no class.
// CHECK-LABEL: func.func @arguments(
// CHECK-NEXT:  %j = "other.index"(%i) :
// CHECK-NEXT:  %a = "dnn.identity"(%x) {dnn.alias_class = array<i32: 0>} :
// CHECK-NEXT:  %b = "dnn.identity"(%y) {dnn.alias_class = array<i32: 1>} :
func.func @arguments(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: index) -> index {
  %j = "other.index"(%i) : (index) -> index
  %a = "dnn.identity"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.identity"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %j : index
}
