// Two names of one storage: the second is read later.
// DECIDE: %t apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %v
// GIVES: {"x": [0, 0]} => [[1, 1]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %v = "dnn.identity"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %t = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %o = "dnn.add"(%v, %t) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %o : tensor<2xf32>
}
