// Where an op reads floating-point numbers as bits, which of two NaNs a kernel keeps would show: nothing that is computed
// in them is in place, or in its part of another value. What is only moved is, and so are integers.

// RUN: opt-tool --inplace-pass=explain=true --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --inplace-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: float-bits.mlir:[[# @LINE + 5]]:8: remark: dnn.add (c): %c is not written over %a: an op reads numbers as bits: it would see which of two NaNs the kernel keeps [float-bits]
// CHECK-LABEL: func.func @main(
// CHECK: "dnn.add"(%a, %b) {dnn.refused = ["float-bits"]}
func.func @main(%a: tensor<4xf32>, %x: tensor<4xf32>, %i: tensor<4xi32> {dnn.donated}) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xi32>, i32) {
  %b = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NOT: dnn.parts
  %d = "dnn.concat"(%c, %c) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  // CHECK: "dnn.slice_scatter"(%e, %f) {dim = 0 : i64, end = 2 : i64, dnn.inplace = array<i32: 0>}
  %e = "dnn.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = "dnn.slice"(%x) {dim = 0 : i64, end = 2 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  %g = "dnn.slice_scatter"(%e, %f) {dim = 0 : i64, end = 2 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  // CHECK: "dnn.add"(%i, %i) {dnn.inplace = array<i32: 0>}
  %h = "dnn.add"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %zero = arith.constant 0 : index
  %k = func.call @bits(%c) : (tensor<4xf32>) -> i32
  func.return %d, %g, %h, %k : tensor<8xf32>, tensor<4xf32>, tensor<4xi32>, i32
}

// The reader stands in another function.
func.func @bits(%x: tensor<4xf32>) -> i32 {
  %zero = arith.constant 0 : index
  %y = tensor.extract %x[%zero] : tensor<4xf32>
  %bits = arith.bitcast %y : f32 to i32
  func.return %bits : i32
}
