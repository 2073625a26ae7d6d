// The number of sequences is unknown; the last one shows that the pass ran.

// RUN: opt-tool --pad-gru-pass=steps=4 %s | filecheck %s

// CHECK-LABEL: func.func @open(
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %wh, %o)
// CHECK-NEXT:    %{{.*}} = "dnn.constant"() {value = dense<0> : tensor<1xi64>}
// CHECK-NEXT:    "dnn.lod_to_tnc"(%x, %e) {{{.*}}} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<0x4x2xf32>
func.func @open(%x: tensor<?x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<?xi64>, %e: tensor<1xi64>) -> (tensor<?x1xf32>, tensor<?x1xf32>) {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<?x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<?x1xf32>
  %k = "dnn.fused_gru"(%x, %wx, %wh, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<?x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  func.return %h, %k : tensor<?x1xf32>, tensor<?x1xf32>
}

// A decision about the GRU's place is kept, and the remark says so.

// RUN: opt-tool --pad-gru-pass=steps=4 --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %e) {{{.*}}dnn.reuse = array<i32: 0>
// REMARK: dnn.fused_gru (k): its place is decided, and the padded form has other values [decided]
func.func @decided(%x: tensor<?x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %e: tensor<1xi64>) -> tensor<?x1xf32> {
  %k = "dnn.fused_gru"(%x, %wx, %wh, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, dnn.reuse = array<i32: 0>} : (tensor<?x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  func.return %k : tensor<?x1xf32>
}
