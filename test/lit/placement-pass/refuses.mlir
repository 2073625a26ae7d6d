// What the pass leaves alone.

// RUN: opt-tool --placement-pass %s | filecheck %s

// An op that has an engine keeps it; other ops of the function show that the pass was there.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    "dnn.tanh"(%x) {dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.tanh"(%a) {dnn.engine = "onednn"} :
// CHECK-NEXT:    "dnn.tanh"(%b) {dnn.engine = "onednn"} :
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.tanh"(%x) {dnn.engine = "cpu"} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.tanh"(%a) {dnn.engine = "onednn"} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "dnn.tanh"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// No engine runs ops that only name or move bytes, constants, unknown ops, and ops of other dialects.
// CHECK-LABEL: func.func @no_engine(
// CHECK-NEXT:    "dnn.constant"() {value = dense<1.000000e+00> : tensor<4xf32>} :
// CHECK-NEXT:    "dnn.reshape"(%x) :
// CHECK-NEXT:    "dnn.copy"(%x) :
// CHECK-NEXT:    "dnn.opaque"(%c) {kind = "conv"} :
// CHECK-NEXT:    "my.op"(%k, %d) :
// CHECK-NEXT:    "dnn.neg"(%e) {dnn.engine = "native"} :
func.func @no_engine(%x: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %k = "dnn.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %b = "dnn.reshape"(%x) : (tensor<4xf32>) -> tensor<2x2xf32>
  %c = "dnn.copy"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "dnn.opaque"(%c) {kind = "conv"} : (tensor<4xf32>) -> tensor<4xf32>
  %e = "my.op"(%k, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %f = "dnn.neg"(%e) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b, %f : tensor<2x2xf32>, tensor<4xf32>
}
