// fold=false keeps the steps of constants as ops; the pass run again changes nothing; placement may come at any time.

// RUN: opt-tool --weight-reorder-pass=fold=false --placement-pass %s | filecheck %s
// RUN: opt-tool --placement-pass --weight-reorder-pass=fold=false %s | filecheck %s
// RUN: opt-tool -p 'weight-reorder-pass{fold=false},placement-pass,weight-reorder-pass{fold=false}' %s | filecheck %s
// RUN: opt-tool --weight-reorder-pass %s | filecheck %s --check-prefix=FOLD
// RUN: opt-tool --weight-reorder-pass --weight-reorder-pass %s | filecheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    %wh = "dnn.constant"() {value = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<1x3xf32>}
// CHECK-NEXT:    %[[GATES:.*]] = "dnn.gru_weight_h_to_gates"(%wh) {dnn.engine = "cpu"} :
// CHECK-NEXT:    %[[ZERO:.*]] = "dnn.zero_bias"() {dnn.engine = "native"} :
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %[[GATES]], %[[ZERO]], %o)
// CHECK-NEXT:    func.return

// FOLD-LABEL: func.func @main(
// FOLD-NEXT:    %[[GATES:.*]] = "dnn.constant"() {value = dense<{{\[\[\[}}1.000000e+00], [2.000000e+00], [3.000000e+00]]]> : tensor<1x3x1xf32>
// FOLD-NEXT:    %[[ZERO:.*]] = "dnn.constant"() {value = dense<0.000000e+00> : tensor<1x3xf32>}
// FOLD-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %[[GATES]], %[[ZERO]], %o)
// FOLD-NEXT:    func.return
func.func @main(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %wh = "dnn.constant"() {value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}
