// The weights of a GRU become oneDNN's, one op a step; constants are computed now.

// RUN: opt-tool --weight-reorder-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --weight-reorder-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// Each step once, where the weights are defined, for all GRUs that share them.
// REMARK: rewrites.mlir:[[# @LINE + 9]]:8: remark: dnn.fused_gru (h): %wh re-laid with one gate beside the other; %wx, %wh, %b negated in the update gate
// CHECK-LABEL: func.func @steps(
// CHECK-NEXT:    %[[B:.*]] = "dnn.negate_gate"(%b) {gate = "update"} :
// CHECK-NEXT:    %[[WX:.*]] = "dnn.negate_gate"(%wx) {gate = "update"} :
// CHECK-NEXT:    %[[WH:.*]] = "dnn.gru_weight_h_to_gates"(%wh) : (tensor<1x3xf32>) -> tensor<1x3x1xf32>
// CHECK-NEXT:    %[[GATES:.*]] = "dnn.negate_gate"(%[[WH]]) {gate = "update"} :
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %[[WX]], %[[GATES]], %[[B]], %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} :
// CHECK-NEXT:    %r = "dnn.fused_gru"(%x, %[[WX]], %[[GATES]], %[[B]], %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>, origin_mode = true} :
func.func @steps(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %r : tensor<5x1xf32>, tensor<5x1xf32>
}

// origin_mode is oneDNN's formula: nothing is negated. A bias there is not is zeros.
// CHECK-LABEL: func.func @origin(
// CHECK-NEXT:    %[[GATES:.*]] = "dnn.gru_weight_h_to_gates"(%wh) :
// CHECK-NEXT:    %[[B:.*]] = "dnn.constant"() {value = dense<0.000000e+00> : tensor<1x3xf32>}
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %[[GATES]], %[[B]], %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} :
func.func @origin(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// Constants become new constants; the ones without other readers are gone, the bias that is returned stays what it was.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:    %{{.*}} = "dnn.constant"() {value = dense<{{\[\[}}-1.000000e+00, 2.000000e+00, 3.000000e+00], [-4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>, dnn.names = ["wx/negate_gate"]}
// CHECK-NEXT:    %{{.*}} = "dnn.constant"() {value = dense<{{\[\[\[}}-1.000000e+00], [2.000000e+00], [3.000000e+00]]]> : tensor<1x3x1xf32>
// CHECK-NEXT:    %bias = "dnn.constant"() {value = dense<5.000000e-01> : tensor<1x3xf32>}
// CHECK-NEXT:    %{{.*}} = "dnn.constant"() {value = dense<{{\[\[}}-5.000000e-01, 5.000000e-01, 5.000000e-01]]> : tensor<1x3xf32>
// CHECK-NEXT:    %h = "dnn.fused_gru"
// CHECK-NEXT:    func.return %h, %bias
func.func @constants(%x: tensor<5x2xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<1x3xf32>) {
  %wx = "dnn.constant"() {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %wh = "dnn.constant"() {value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %bias = "dnn.constant"() {value = dense<0.5> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wh, %bias, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %bias : tensor<5x1xf32>, tensor<1x3xf32>
}

// Both directions of a multi_gru; in a loop, the weights before it.
// CHECK-LABEL: func.func @loop(
// CHECK:         %[[B:.*]] = "dnn.negate_gate"(%b)
// CHECK-NEXT:    %[[WX:.*]] = "dnn.negate_gate"(%wx)
// CHECK-NEXT:    %[[WH:.*]] = "dnn.gru_weight_h_to_gates"(%wh)
// CHECK-NEXT:    %[[GATES:.*]] = "dnn.negate_gate"(%[[WH]])
// CHECK-NEXT:    %r = scf.for
// CHECK-NEXT:      %y = "dnn.multi_gru"(%s, %[[WX]], %[[GATES]], %[[B]], %[[WX]], %[[GATES]], %[[B]], %o) {mode = "concat", origin_mode = true} :
func.func @loop(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %c0: index, %c1: index, %c9: index) -> tensor<5x2xf32> {
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> (tensor<5x2xf32>) {
    %y = "dnn.multi_gru"(%s, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
    scf.yield %y : tensor<5x2xf32>
  }
  func.return %r : tensor<5x2xf32>
}
