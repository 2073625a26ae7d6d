// opt-tool --call-interface-pass
func.func private @insert(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %v into %x[%c0] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %e = math.exp %x : tensor<8xf32>
  %y = func.call @insert(%e, %v) : (tensor<8xf32>, f32) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}
