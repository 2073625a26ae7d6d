// a part of what a foreign op returns may be any bytes of what it was given
builtin.module {
  func.func @main(%x0: tensor<3x4xf32>, %x2: tensor<4xf32>) -> tensor<1x1xf32> {
    %v0 = "dnn.softmax"(%x0) {axis = 0 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %r1, %r2 = "strange.op"(%v0, %x0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
    %r6 = tensor.extract_slice %r2[2, 3] [1, 1] [1, 1] : tensor<3x4xf32> to tensor<1x1xf32>
    %v8 = "dnn.select_scatter"(%v0, %x2) {dim = 0 : i64, index = 0 : i64} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    func.return %r6 : tensor<1x1xf32>
  }
}
