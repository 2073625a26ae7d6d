// A constant enters the slot of a while loop in which an argument comes round.
func.func @main(%x: tensor<4xf32> {dnn.donated}, %n: index) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = "dnn.constant"() {value = dense<1.5> : tensor<4xf32>} : () -> tensor<4xf32>
  %part = "dnn.constant"() {value = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %k, %r = scf.while (%i = %zero, %s = %start) : (index, tensor<4xf32>) -> (index, tensor<2xf32>) {
    %y = "dnn.slice"(%s) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4xf32>) -> tensor<2xf32>
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %part : index, tensor<2xf32>
  } do {
  ^bb0(%j: index, %t: tensor<2xf32>):
    %next = arith.addi %j, %one : index
    scf.yield %next, %x : index, tensor<4xf32>
  }
  func.return %r : tensor<2xf32>
}
