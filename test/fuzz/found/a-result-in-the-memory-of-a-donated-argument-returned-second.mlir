// A result in the memory of a donated argument, returned second.
func.func @main(%x0: tensor<2xf32> {dnn.donated}) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "dnn.zeros"() : () -> tensor<2xf32>
  %b = "dnn.abs"(%x0) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}
