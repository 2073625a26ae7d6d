// what a foreign region returns may be what one inside it returned, and so what that one made
builtin.module {
  func.func @main(%x0: tensor<2x3x2xf32>) -> tensor<2x3x2x2xf32> {
    %r5 = "strange.region"() ({
      %r4 = "strange.region"() ({
        %v3 = "dnn.sub"(%x0, %x0) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
        "strange.yield"(%v3) : (tensor<2x3x2xf32>) -> ()
      }) : () -> tensor<2x3x2xf32>
      "strange.yield"(%r4, %r4) : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> ()
    }) : () -> tensor<2x3x2xf32>
    %v6 = "dnn.stack"(%r5, %x0) {axis = 2 : i64} : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2x2xf32>
    %v16 = "dnn.pad"(%r5) {pads = array<i64: 1, 1, 0, 2, 0, 1>, value = 1.500000e+00 : f32} : (tensor<2x3x2xf32>) -> tensor<5x4x3xf32>
    func.return %v6 : tensor<2x3x2x2xf32>
  }
}
