// opt-tool --widen-floats-pass
// The values between the two ops stay in f32; what the function is passed and returns is f16.
func.func @main(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %e = "dnn.exp"(%x) : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %y = "dnn.softmax"(%e) {axis = -1 : i64} : (tensor<2x4xf16>) -> tensor<2x4xf16>
  func.return %y : tensor<2x4xf16>
}
