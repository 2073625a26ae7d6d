// Prepared GRUs get weights of fewer bits, one op a step.

// RUN: opt-tool --quantize-pass=type=bf16 --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --quantize-pass=type=bf16 --quantize-pass=type=bf16 %s | filecheck %s
// RUN: opt-tool --quantize-pass %s | filecheck %s --check-prefix=INT8
// RUN: opt-tool --quantize-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// Where the weights are defined, once for both; h0 and names stay, what calibration wrote is gone with bf16.
// REMARK: rewrites.mlir:[[# @LINE + 14]]:8: remark: dnn.quantized_gru (states): %wx, %wh in int8
// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    %[[H:.*]] = "dnn.cast"(%wh) : (tensor<1x3x1xf32>) -> tensor<1x3x1xbf16>
// CHECK-NEXT:    %[[X:.*]] = "dnn.cast"(%wx) : (tensor<2x3xf32>) -> tensor<2x3xbf16>
// CHECK-NEXT:    %h = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %b, %s, %o) {dnn.names = ["states"], reverse = [true]} : (tensor<5x2xf32>, tensor<2x3xbf16>, tensor<1x3x1xbf16>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
// CHECK-NEXT:    %k = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %b, %o) {reverse = [false]} :
// INT8-LABEL: func.func @one(
// INT8-NEXT:    %[[SH:.*]] = "dnn.gru_weight_scale"(%wh) : (tensor<1x3x1xf32>) -> tensor<1x3xf32>
// INT8-NEXT:    %[[H:.*]] = "dnn.quantize_weights"(%wh, %[[SH]]) : (tensor<1x3x1xf32>, tensor<1x3xf32>) -> tensor<1x3x1xi8>
// INT8-NEXT:    %[[SX:.*]] = "dnn.gru_weight_scale"(%wx) : (tensor<2x3xf32>) -> tensor<1x3xf32>
// INT8-NEXT:    %[[X:.*]] = "dnn.quantize_weights"(%wx, %[[SX]]) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xi8>
// INT8-NEXT:    %h = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %b, %[[SX]], %[[SH]], %s, %o) {dnn.names = ["states"], reverse = [true], data_scale = array<f32: 2.000000e+01, 1.275000e+02>, data_shift = array<f32: 3.000000e+00, 1.280000e+02>} :
// INT8-NEXT:    %k = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %b, %[[SX]], %[[SH]], %o)
func.func @one(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3x1xf32>, %b: tensor<1x3xf32>, %s: tensor<2x1xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %s, %o) {dnn.names = ["states"], dnn.data_scale = array<f32: 20.0, 127.5>, dnn.data_shift = array<f32: 3.0, 128.0>, is_reverse = true, origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %k = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {dnn.data_scale = array<f32: 20.0, 127.5>, dnn.data_shift = array<f32: 3.0, 128.0>, origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %k : tensor<5x1xf32>, tensor<5x1xf32>
}

// Layers of both directions, the reverse one first; constants are computed now, and gone where they have no other reader.
// CHECK-LABEL: func.func @layers(
// CHECK-NEXT:    %wx = "dnn.constant"() {value = dense<1.000000e+00> : tensor<2x3xf32>}
// CHECK-NEXT:    %[[X:.*]] = "dnn.constant"() {value = dense<1.000000e+00> : tensor<2x3xbf16>, dnn.names = ["wx/cast"]}
// CHECK-NEXT:    %[[H:.*]] = "dnn.constant"() {value = dense<{{.*}}> : tensor<1x3x1xbf16>, dnn.names = ["wh/cast"]}
// CHECK-NEXT:    %c = "dnn.constant"()
// CHECK-NEXT:    %b = "dnn.constant"()
// CHECK-NEXT:    %y = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %c, %[[X]], %[[H]], %b, %[[X]], %[[H]], %b, %[[X]], %[[H]], %c, %o) {reverse = [true, false], mode = "concat", layers = 2 : i64} :
// INT8-LABEL: func.func @layers(
// INT8-NEXT:    %wx = "dnn.constant"() {value = dense<1.000000e+00> : tensor<2x3xf32>}
// INT8-NEXT:    %[[SX:.*]] = "dnn.constant"() {value = dense<1.270000e+02> : tensor<1x3xf32>, dnn.names = ["wx/gru_weight_scale"]}
// INT8-NEXT:    %[[X:.*]] = "dnn.constant"() {value = dense<127> : tensor<2x3xi8>, dnn.names = ["wx/quantize_weights"]}
// INT8-NEXT:    %[[SH:.*]] = "dnn.constant"() {value = dense<{{\[\[}}1.270000e+02, 6.350000e+01, 2.540000e+02]]> : tensor<1x3xf32>
// INT8-NEXT:    %[[H:.*]] = "dnn.constant"() {value = dense<{{\[\[\[}}127], [-127], [127]]]> : tensor<1x3x1xi8>
// INT8:         %y = "dnn.quantized_gru"(%x, %[[X]], %[[H]], %c, %[[SX]], %[[SH]], %[[X]], %[[H]], %b, %[[SX]], %[[SH]],
func.func @layers(%x: tensor<5x2xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>, tensor<2x3xf32>) {
  %wx = "dnn.constant"() {value = dense<1.0> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
  %wh = "dnn.constant"() {value = dense<[[[1.0], [-2.0], [0.5]]]> : tensor<1x3x1xf32>} : () -> tensor<1x3x1xf32>
  %c = "dnn.constant"() {value = dense<0.5> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %b = "dnn.constant"() {value = dense<0.25> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %c, %wx, %wh, %c, %wx, %wh, %b, %o) {dnn.data_scale = array<f32: 20.0, 127.5, 127.5, 127.5>, dnn.data_shift = array<f32: 3.0, 128.0, 128.0, 128.0>, layers = 2 : i64, mode = "concat", origin_mode = true, reverse_first = true} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %y, %wx : tensor<5x2xf32>, tensor<2x3xf32>
}
