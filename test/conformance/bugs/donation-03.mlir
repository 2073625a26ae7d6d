// One value for a parameter that is given away and for another one.
// WRONG: %r {dnn.donate = array<i32: 0>} => func.call
// GIVES: {"x": [0, 0]} => [[2, 2]]

func.func private @f(%p: tensor<2xf32> {dnn.donated}, %q: tensor<2xf32>) -> tensor<2xf32> {
  %z = "dnn.add"(%p, %q) {dnn.inplace = array<i32: 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %r = func.call @f(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
