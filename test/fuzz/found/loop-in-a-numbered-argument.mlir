// silu goes over an argument; the loop's result has the argument's number, and its first region reads silu's
builtin.module {
  func.func @main(%x0: tensor<4x1xi64>, %x1: tensor<2x1x3xf32> {dnn.donated, dnn.reuse = 0 : i32}, %c0: index) -> tensor<1x1x1xf32> {
    %0 = arith.constant 1 : index
    %1 = arith.constant 0 : index
    "strange.region"() ({
      "strange.yield"() : () -> ()
    }) : () -> ()
    %r1 = "strange.op"(%x0, %x0) : (tensor<4x1xi64>, tensor<4x1xi64>) -> tensor<4x1xi64>
    %v2 = "dnn.silu"(%x1) : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
    %v3 = "dnn.reduce_sum"(%v2) {axes = array<i64: 0, 2>, keepdims = true} : (tensor<2x1x3xf32>) -> tensor<1x1x1xf32>
    %2, %r9, %r10 = scf.while (%3 = %1, %r4 = %x0, %r5 = %x0) : (index, tensor<4x1xi64>, tensor<4x1xi64>) -> (index, tensor<2x1x3xf32>, tensor<1x1x1xf32>) {
      %4 = arith.cmpi slt, %3, %c0 : index
      scf.condition(%4) %3, %v2, %v3 : index, tensor<2x1x3xf32>, tensor<1x1x1xf32>
    } do {
    ^bb0(%5: index, %r6: tensor<2x1x3xf32>, %r7: tensor<1x1x1xf32>):
      %6 = arith.addi %5, %0 : index
      scf.yield %6, %r1, %r1 : index, tensor<4x1xi64>, tensor<4x1xi64>
    } attributes {dnn.reuse = array<i32: -1, -1, 0>}
    func.return %v3 : tensor<1x1x1xf32>
  }
}
