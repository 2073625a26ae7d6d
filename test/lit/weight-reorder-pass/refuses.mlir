// GRUs that oneDNN does not run keep the weights they have.

// RUN: opt-tool --placement-pass --weight-reorder-pass %s | filecheck %s

// Other activations than tanh, with gates of sigmoid; kept on the cpu engine; the last one shows that the pass was there.
// CHECK-LABEL: func.func @cpu(
// CHECK-NEXT:    "dnn.gru_weight_h_to_gates"(%wh) {dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %o) {activation = "relu", {{.*}}dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %o) {gate_activation = "tanh", {{.*}}dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %o) {dnn.engine = "cpu", {{[^}]*}}} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %{{.*}}, %b, %o) {origin_mode = true, {{.*}}dnn.engine = "onednn"} :
func.func @cpu(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %o) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %g = "dnn.fused_gru"(%x, %wx, %wh, %o) {gate_activation = "tanh", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {dnn.engine = "cpu", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %k = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %f, %g, %h, %k : tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>
}

// f64.
// CHECK-LABEL: func.func @wide(
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %o) {{{.*}}dnn.engine = "cpu"} :
func.func @wide(%x: tensor<5x2xf64>, %wx: tensor<2x3xf64>, %wh: tensor<1x3xf64>, %o: tensor<3xi64>) -> tensor<5x1xf64> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf64>, tensor<2x3xf64>, tensor<1x3xf64>, tensor<3xi64>) -> tensor<5x1xf64>
  func.return %h : tensor<5x1xf64>
}
