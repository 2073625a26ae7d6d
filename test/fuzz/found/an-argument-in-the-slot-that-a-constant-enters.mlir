// A constant enters the slot of a while loop in which an argument comes round.
func.func @main(%x: tensor<4xf32> {dnn.donated}, %c: i1) -> tensor<2xf32> {
  %start = "dnn.constant"() {value = dense<1.5> : tensor<4xf32>} : () -> tensor<4xf32>
  %part = "dnn.constant"() {value = dense<0.5> : tensor<2xf32>} : () -> tensor<2xf32>
  %r = scf.while (%s = %start) : (tensor<4xf32>) -> tensor<2xf32> {
    %y = "dnn.slice"(%s) {dim = 0 : i64, start = 0 : i64, end = 2 : i64} : (tensor<4xf32>) -> tensor<2xf32>
    scf.condition(%c) %part : tensor<2xf32>
  } do {
  ^bb0(%t: tensor<2xf32>):
    scf.yield %x : tensor<4xf32>
  }
  func.return %r : tensor<2xf32>
}
