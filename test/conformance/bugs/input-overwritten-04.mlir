// An argument that is handed through is read at the end, even if it was given away.
// DECIDE: %y not over %x: returned
// WRONG: %y {dnn.inplace = array<i32: 0>} => func.return reads %x
// GIVES: {"x": [1, 2]} => [[1, 2], [-1, -2]]

func.func @main(%x: tensor<2xf32> {dnn.donated}) -> (tensor<2xf32>, tensor<2xf32>) {
  %y = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %x, %y : tensor<2xf32>, tensor<2xf32>
}
