// Before, after, or before and after the fusion: the same module. An op kept from oneDNN stays so, and so does what it is
// fused to.

// RUN: opt-tool --placement-pass --gru-fusion-pass %s | filecheck %s
// RUN: opt-tool --gru-fusion-pass --placement-pass %s | filecheck %s
// RUN: opt-tool -p placement-pass,gru-fusion-pass,placement-pass,placement-pass %s | filecheck %s

// The choice of GRU kernels is kept too.
// RUN: opt-tool --placement-pass=gru=native --gru-fusion-pass %s | filecheck %s --check-prefix=NATIVE
// RUN: opt-tool --gru-fusion-pass --placement-pass=gru=native --placement-pass=gru=native %s | filecheck %s --check-prefix=NATIVE
// RUN: opt-tool --placement-pass --gru-fusion-pass --placement-pass=gru=native %s | filecheck %s --check-prefix=NATIVE
// NATIVE:      "dnn.multi_gru"({{.*}}dnn.gru = "native", dnn.engine = "native"
// NATIVE-NEXT: "dnn.fused_gru"({{.*}}dnn.engine = "cpu"
// RUN: opt-tool --placement-pass=gru=onednn --gru-fusion-pass %s | filecheck %s --check-prefix=ONEDNN
// RUN: opt-tool --gru-fusion-pass --placement-pass=gru=native --placement-pass=gru=onednn %s | filecheck %s --check-prefix=ONEDNN
// ONEDNN:      "dnn.multi_gru"({{.*}}dnn.gru = "onednn", dnn.engine = "onednn"
// ONEDNN-NEXT: "dnn.fused_gru"({{.*}}dnn.engine = "cpu"

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    "dnn.constant"() {value = dense<0.000000e+00> : tensor<1x3xf32>} :
// CHECK-NEXT:    "dnn.fill"(%h0) {value = 0.000000e+00 : f32, dnn.engine = "native"} :
// CHECK-NEXT:    "dnn.multi_gru"({{.*}}dnn.engine = "onednn"} :
// CHECK-NEXT:    "dnn.fused_gru"({{.*}}dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.tanh"(%k) {dnn.engine = "cpu"} :
func.func @main(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %h0: tensor<2x1xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>, tensor<5x1xf32>) {
  %p = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %f = "dnn.gru"(%p, %wh, %b, %h0, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %q = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %r = "dnn.gru"(%q, %wh, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  %g = "dnn.matmul"(%x, %wx) {dnn.engine = "cpu"} : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %k = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %t = "dnn.tanh"(%k) {dnn.engine = "cpu"} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  func.return %y, %t : tensor<5x2xf32>, tensor<5x1xf32>
}
