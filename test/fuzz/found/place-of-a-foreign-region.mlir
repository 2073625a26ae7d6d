// What a foreign op with a region makes was given an offset, and a number with what a branch yields.
func.func @main(%x: tensor<3xf32>, %c0: i1) -> tensor<3xi32> {
  %v0 = "dnn.cast"(%x) : (tensor<3xf32>) -> tensor<3xi32>
  %r3 = "strange.region"() ({
    %v2 = "dnn.neg"(%v0) : (tensor<3xi32>) -> tensor<3xi32>
    "strange.yield"(%v2) : (tensor<3xi32>) -> ()
  }) : () -> tensor<3xi32>
  %r9, %r10 = scf.if %c0 -> (tensor<3xi32>, tensor<3xi32>) {
    scf.yield %v0, %r3 : tensor<3xi32>, tensor<3xi32>
  } else {
    scf.yield %r3, %r3 : tensor<3xi32>, tensor<3xi32>
  }
  %v11 = "dnn.add"(%r9, %r10) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  func.return %v11 : tensor<3xi32>
}
