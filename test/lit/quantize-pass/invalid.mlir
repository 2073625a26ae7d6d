// Types there are not; int8 of a model that is not calibrated.

// RUN: not opt-tool --quantize-pass=type=int4 %s 2>&1 | filecheck %s --check-prefix=TYPE
// TYPE: error: {{.*}}no type 'int4' of weights; there are bf16, int8

// RUN: not opt-tool --quantize-pass %s 2>&1 | filecheck %s
// CHECK: invalid.mlir:[[# @LINE + 2]]:8: error: int8 needs dnn.data_scale and dnn.data_shift, two numbers for each of 1 layers: calibrate it first (run-tool --calibrate)
func.func @main(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wg: tensor<1x3x1xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wg, %b, %o) {dnn.data_scale = array<f32: 20.0>, dnn.data_shift = array<i64: 3, 5>, origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}
