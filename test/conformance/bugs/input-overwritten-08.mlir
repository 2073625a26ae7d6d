// A loop over an argument leaves the argument alone.
// DECIDE: %y not over %x: program-input
// WRONG: %y {dnn.inplace = array<i32: 3>} => read-only
// GIVES: {"x": [1, 2], "n": 2} => [[3, 4]]

func.func @main(%x: tensor<2xi32>, %n: index) -> tensor<2xi32> {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = "dnn.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %y = scf.for %i = %zero to %n step %step iter_args(%a = %x) -> (tensor<2xi32>) {
    %b = "dnn.add"(%a, %one) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %b : tensor<2xi32>
  }
  func.return %y : tensor<2xi32>
}
