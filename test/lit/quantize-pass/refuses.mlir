// GRUs that are not prepared, or run on the cpu engine, keep their weights.

// RUN: opt-tool --placement-pass --quantize-pass=type=bf16 %s | filecheck %s

// Paddle's memory order; the other formula; the cpu engine; the last one shows that the pass was there.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    "dnn.cast"(%wg)
// CHECK-NEXT:    "dnn.cast"(%wx)
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wh, %b, %o)
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wg, %b, %o)
// CHECK-NEXT:    "dnn.fused_gru"(%x, %wx, %wg, %b, %o)
// CHECK-NEXT:    "dnn.quantized_gru"(%x, %{{.*}}, %{{.*}}, %b, %o) {{{.*}}dnn.engine = "native"} :
func.func @kept(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %wg: tensor<1x3x1xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %g = "dnn.fused_gru"(%x, %wx, %wg, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %h = "dnn.fused_gru"(%x, %wx, %wg, %b, %o) {dnn.engine = "cpu", origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %k = "dnn.fused_gru"(%x, %wx, %wg, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %f, %g, %h, %k : tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>
}
