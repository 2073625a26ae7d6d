// What has no place in the arena.

// RUN: opt-tool --memory-plan-pass %s | filecheck %s

// Memory of arguments, constants and results is not in the arena, nor are views of it.
// CHECK-LABEL: func.func @outside(
// CHECK-SAME: attributes {dnn.arena_bytes = 0 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>} :
// CHECK-NEXT:  %k = "dnn.constant"() {value = dense<1.000000e+00> : tensor<16xf32>} :
// CHECK-NEXT:  %v = "dnn.reshape"(%k) :
// CHECK-NEXT:  %b = "dnn.add"(%a, %k) :
// CHECK-NEXT:  %c = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} :
func.func @outside(%x: tensor<16xf32> {dnn.donated}) -> tensor<16xf32> {
  %a = "dnn.exp"(%x) {dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %k = "dnn.constant"() {value = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %v = "dnn.reshape"(%k) : (tensor<16xf32>) -> tensor<4x4xf32>
  %b = "dnn.add"(%a, %k) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %c = "dnn.tanh"(%b) {dnn.inplace = array<i32: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}

// Values without bytes need none.
// CHECK-LABEL: func.func @zero(
// CHECK-SAME: attributes {dnn.arena_bytes = 0 : i64}
// CHECK-NEXT:  %a = "dnn.zeros"() :
// CHECK-NEXT:  %b = "dnn.relu"(%a) :
func.func @zero() -> tensor<0xf32> {
  %a = "dnn.zeros"() : () -> tensor<0xf32>
  %b = "dnn.relu"(%a) : (tensor<0xf32>) -> tensor<0xf32>
  func.return %b : tensor<0xf32>
}

// A foreign op's result has memory that is not ours to place.
// CHECK-LABEL: func.func @foreign(
// CHECK-SAME: attributes {dnn.arena_bytes = 0 : i64}
// CHECK-NEXT:  %f = "other.op"(%x) :
// CHECK-NEXT:  %b = "dnn.tanh"(%f) :
func.func @foreign(%x: tensor<16xf32>) -> tensor<16xf32> {
  %f = "other.op"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "dnn.tanh"(%f) : (tensor<16xf32>) -> tensor<16xf32>
  func.return %b : tensor<16xf32>
}

// Sizes that are not known are not planned; an earlier plan stays.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:  attributes {dnn.arena_bytes = 64 : i64}
// CHECK-NEXT:  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} :
// CHECK-NEXT:  %b = "dnn.tanh"(%a) :
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> attributes {dnn.arena_bytes = 64 : i64} {
  %a = "dnn.exp"(%x) {dnn.offset = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.tanh"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %b : tensor<?xf32>
}
