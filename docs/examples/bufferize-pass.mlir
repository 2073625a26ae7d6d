// opt-tool --bufferize-pass
func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32> {dnn.donated}) -> (tensor<4x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %a = linalg.add ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %b = linalg.mul ins(%a, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tensor.extract_slice %b[1, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %v = tensor.extract %s[%c0] : tensor<8xf32>
  func.return %b, %v : tensor<4x8xf32>, f32
}
