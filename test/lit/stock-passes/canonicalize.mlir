// A comparison and the cast back that alone reads it are one op, which may be in place; what is decided stays.

// RUN: opt-tool %s -p canonicalize --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s --check-prefix=WITHOUT

// CHECK-LABEL: @mask
// CHECK: %f = "dnn.less"(%a, %y) {dnn.inplace = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return
// WITHOUT-LABEL: @mask
// WITHOUT: %c = "dnn.less"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// WITHOUT-NEXT: %f = "dnn.cast"(%c) :
func.func @mask(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.less"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}

// CHECK-LABEL: @decided
// CHECK: %c = "dnn.less"(%x, %x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: %f = "dnn.cast"(%c) :
func.func @decided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "dnn.less"(%x, %x) {dnn.reuse = array<i32: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}
