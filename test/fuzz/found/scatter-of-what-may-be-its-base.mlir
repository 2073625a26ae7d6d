// a scatter goes over its base, while what it copies may lie there: a function elsewhere returned it
builtin.module {
  func.func @main(%x0: tensor<2x1x3xf64>, %x1: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
    %0 = arith.constant 0 : index
    cf.br ^bb1(%0, %x0, %x0 : index, tensor<2x1x3xf64>, tensor<2x1x3xf64>)
  ^bb1(%1: index, %r1: tensor<2x1x3xf64>, %r2: tensor<2x1x3xf64>):
    %v3 = "dnn.diagonal"(%r2) {offset = 0 : i64, dim1 = 2 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf64>) -> tensor<1x2xf64>
    %r10 = func.call @f0(%v3) : (tensor<1x2xf64>) -> tensor<1x2xf64>
    %v11 = "dnn.diagonal_scatter"(%r2, %r10) {offset = 0 : i64, dim1 = 2 : i64, dim2 = 0 : i64} : (tensor<2x1x3xf64>, tensor<1x2xf64>) -> tensor<2x1x3xf64>
    func.return %x1 : tensor<2x3x2xf32>
  }
  func.func private @f0(tensor<1x2xf64>) -> tensor<1x2xf64>
}
