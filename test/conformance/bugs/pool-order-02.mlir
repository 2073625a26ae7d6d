// A reshape moves nothing: its operand's place is taken as long as it is read.
// DECIDE: %c apart from %a; %o over %b
// WRONG: %a {dnn.reuse = array<i32: 0>}, %c {dnn.reuse = array<i32: 0>} => reads %b
// GIVES: {"x": [0, 0]} => [[1, 1]]

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "dnn.identity"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %c = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %o = "dnn.add"(%b, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %o : tensor<2xf32>
}
