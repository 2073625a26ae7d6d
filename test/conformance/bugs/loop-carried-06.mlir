// A copy that may be its operand, carried from round to round.
// DECIDE: %d over %c
// GIVES: {"x": [0, 1], "n": 3} => [[3, 4]]
// GIVES: {"x": [0, 1], "n": 0} => [[0, 1]]

func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = "dnn.ones"() : () -> tensor<2xf32>
  %r = scf.for %i = %zero to %n step %step iter_args(%a = %x) -> (tensor<2xf32>) {
    %c = "dnn.identity"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %d = "dnn.add"(%c, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  }
  func.return %r : tensor<2xf32>
}
