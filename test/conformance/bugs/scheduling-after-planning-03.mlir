// A reshape that becomes another name after the plan was made.
// DECIDE: %t apart from %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %s
// GIVES: {"x": [[0, 0]]} => [[1, 1]]

func.func @main(%x: tensor<1x2xf32>) -> tensor<2xf32> {
  %a = "dnn.exp"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %s = "dnn.reshape"(%a) : (tensor<1x2xf32>) -> tensor<2xf32>
  %y = "dnn.neg"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %t = "dnn.reshape"(%y) {dnn.copy} : (tensor<1x2xf32>) -> tensor<2xf32>
  %o = "dnn.add"(%s, %t) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %o : tensor<2xf32>
}
