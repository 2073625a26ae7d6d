// The offset of %a was given away after its last reader, though %r may lie in it.
func.func @main(%x: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  %a = "dnn.exp"(%x) : (tensor<12xf32>) -> tensor<12xf32>
  %r = "strange.op"(%a) : (tensor<12xf32>) -> tensor<12xf32>
  %s = "strange.region"() ({
    %i = "dnn.neg"(%r) : (tensor<12xf32>) -> tensor<12xf32>
    "strange.yield"(%i) : (tensor<12xf32>) -> ()
  }) : () -> tensor<12xf32>
  %b = "dnn.stack"(%x, %x) {axis = 0 : i64} : (tensor<12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
  %c = "dnn.reduce_sum"(%b) {axes = array<i64: 0>, keepdims = false} : (tensor<2x12xf32>) -> tensor<12xf32>
  %d = "dnn.add"(%c, %r) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  %e = "dnn.add"(%c, %s) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  func.return %d, %e : tensor<12xf32>, tensor<12xf32>
}
