// Decisions that may choose another NaN, where an op reads bits: refused, and dropped by repair.

// RUN: not opt-tool --verify-storage-pass %s 2>&1 | filecheck %s
// RUN: opt-tool --verify-storage-pass=repair=true %s | filecheck %s --check-prefix=REPAIRED

// CHECK: float-bits.mlir:[[# @LINE + 4]]:8: error: dnn.add writes %c over bytes [0, 16) of the memory of argument 1 while it reads them as %b
// REPAIRED: "dnn.add"(%a, %b) :
// REPAIRED-NEXT: "dnn.add"(%n, %n) {dnn.inplace = array<i32: 0>} :
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32> {dnn.donated}, %n: tensor<4xi32> {dnn.donated}) -> (tensor<4xf32>, tensor<4xi32>, i32) {
  %c = "dnn.add"(%a, %b) {dnn.inplace = array<i32: 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %m = "dnn.add"(%n, %n) {dnn.inplace = array<i32: 0>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %zero = arith.constant 0 : index
  %y = tensor.extract %c[%zero] : tensor<4xf32>
  %bits = arith.bitcast %y : f32 to i32
  func.return %c, %m, %bits : tensor<4xf32>, tensor<4xi32>, i32
}
