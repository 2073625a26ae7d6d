// abs goes over a slot whose number is an argument's memory, which the next turn reads
builtin.module {
  func.func @main(%x0: tensor<2x1x3xi64>, %x1: tensor<3x1xi64>, %x2: tensor<4xf64> {dnn.donated, dnn.reuse = 1 : i32}, %c1: index) -> tensor<2x1x3xi64> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    %2, %r9, %r10 = scf.while (%3 = %1, %r4 = %x2) : (index, tensor<4xf64>) -> (index, tensor<2x1x3xi64>, tensor<4xf64>) {
      %4 = arith.cmpi slt, %3, %c1 : index
      scf.condition(%4) %3, %x0, %x2 : index, tensor<2x1x3xi64>, tensor<4xf64>
    } do {
    ^bb0(%5: index, %r5: tensor<2x1x3xi64>, %r6: tensor<4xf64>):
      %v8 = "dnn.abs"(%r6) : (tensor<4xf64>) -> tensor<4xf64>
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %v8 : index, tensor<4xf64>
    } attributes {dnn.reuse = array<i32: -1, -1, 1>}
    %r25, %r26 = "strange.op"(%x1, %x0) : (tensor<3x1xi64>, tensor<2x1x3xi64>) -> (tensor<3x4xi32>, tensor<2x1x3xi64>)
    func.return %x0 : tensor<2x1x3xi64>
  }
}
