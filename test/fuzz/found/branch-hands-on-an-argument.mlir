// A branch hands on memory of a donated argument; an op that overwrites the argument later does not know of the result.
func.func @main(%x0: tensor<1x4xi64> {dnn.donated}, %x1: tensor<1xi64>, %x2: tensor<2x2xf32>, %x3: tensor<1x4xi64>, %x4: tensor<4xf64>, %c0: i1, %c1: index) -> (tensor<4xf64> {dnn.tied = 4 : i32}) {
  %0 = arith.constant 1 : index
  %1 = arith.constant 0 : index
  %r5, %r6 = scf.if %c0 -> (tensor<1x4xi64>, tensor<1x4xi64>) {
    scf.yield %x0, %x0 : tensor<1x4xi64>, tensor<1x4xi64>
  } else {
    scf.yield %x0, %x0 : tensor<1x4xi64>, tensor<1x4xi64>
  }
  %v12 = "dnn.abs"(%x0) : (tensor<1x4xi64>) -> tensor<1x4xi64>
  %r23, %r24 = scf.for %2 = %1 to %c1 step %0 iter_args(%r17 = %v12, %r18 = %x4) -> (tensor<1x4xi64>, tensor<4xf64>) {
    scf.yield %r5, %x4 : tensor<1x4xi64>, tensor<4xf64>
  }
  func.return %r24 : tensor<4xf64>
}
