// `halves` says whether f16 is computed in f32.

// RUN: opt-tool --widen-floats-pass=halves=f32 %s | filecheck %s --check-prefix=WIDE
// RUN: opt-tool --widen-floats-pass=halves=model %s | filecheck %s --check-prefix=MODEL

// WIDE: "dnn.relu"(%{{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// MODEL: "dnn.relu"(%x) : (tensor<2xf16>) -> tensor<2xf16>
func.func @main(%x: tensor<2xf16>) -> tensor<2xf16> {
  %y = "dnn.relu"(%x) : (tensor<2xf16>) -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}
