// What is not known after all.

// RUN: opt-tool --specialize-pass=x=2,x.0=3 %s | filecheck %s

// A size that is not bound stays, and so does what follows from it.
// CHECK-LABEL: func.func @unbound(%x: tensor<3x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:  %a = "dnn.exp"(%y) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:  %b = "dnn.reduce_sum"(%x) {axes = array<i64: 1>} : (tensor<3x?xf32>) -> tensor<3xf32>
// CHECK-NEXT:  %c = "dnn.concat"(%a, %b) {axis = 0 : i64} : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
func.func @unbound(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = "dnn.exp"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %b = "dnn.reduce_sum"(%x) {axes = array<i64: 1>} : (tensor<?x?xf32>) -> tensor<?xf32>
  %c = "dnn.concat"(%a, %b) {axis = 0 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// The results of an unknown op have unknown sizes.
// CHECK-LABEL: func.func @foreign(%x: tensor<2x4xf32>) -> tensor<?xf32>
// CHECK-NEXT:  %f = "other.op"(%x) : (tensor<2x4xf32>) -> tensor<?xf32>
func.func @foreign(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %f = "other.op"(%x) : (tensor<?x4xf32>) -> tensor<?xf32>
  func.return %f : tensor<?xf32>
}

// Sizes that are numbers are left alone.
// CHECK-LABEL: func.func @known(%x: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
func.func @known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
