// How quantised values are computed.

// RUN: opt-tool --quantized-ops-pass=quantized=integers %s | filecheck %s --check-prefix=INTEGERS
// RUN: opt-tool --quantized-ops-pass=quantized=model %s | filecheck %s --check-prefix=MODEL
// RUN: opt-tool --quantized-ops-pass=quantized=dequantize %s | filecheck %s --check-prefix=DEQUANTIZE
// RUN: opt-tool --quantized-ops-pass=quantized=dequantize %s --remarks -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: options.mlir:{{.*}}: remark: dnn.dequantize_linear (d): not rounded: its operand is brought between the bounds of its integers

// INTEGERS-LABEL: @turned
// INTEGERS: "dnn.qlinear_matmul"
// MODEL-LABEL: @turned
// MODEL-NOT: dnn.qlinear
// MODEL: "dnn.gemm"
// DEQUANTIZE-LABEL: @turned
// DEQUANTIZE: %w = "dnn.constant"() {value = dense<[{{.}}5.000000e-01, 1.000000e+00
// DEQUANTIZE: "dnn.gemm"(%a, %w)
func.func @turned(%x: tensor<4x3xui8>) -> tensor<4x2xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %w = "dnn.dequantize_linear"(%q, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %p = "dnn.gemm"(%a, %w) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
  func.return %y : tensor<4x2xui8>
}

// What is quantised and dequantised is brought between (0 - 3) / 2 and (255 - 3) / 2.

// INTEGERS-LABEL: @between
// INTEGERS: "dnn.quantize_linear"
// MODEL-LABEL: @between
// MODEL: "dnn.quantize_linear"
// DEQUANTIZE-LABEL: @between
// DEQUANTIZE-NOT: quantize_linear
// DEQUANTIZE: %d = "dnn.clip"(%x) {max = 1.260000e+02 : f64, min = -1.500000e+00 : f64}
func.func @between(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %q = "dnn.quantize_linear"(%x, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  %d = "dnn.dequantize_linear"(%q, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %y = "dnn.exp"(%d) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}
