// Two names of one storage are alive as long as either is.
// DECIDE: %b over %a
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.inplace = array<i32: 0>}, %c {dnn.reuse = array<i32: 0>} => func.return reads %b
// GIVES: {"x": [0, 0], "y": [3]} => [[3, 0], [1, 1]]

func.func @main(%x: tensor<2xf32>, %y: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = "dnn.copy"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = "dnn.slice_scatter"(%a, %y) {dim = 0 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %c = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %b, %c : tensor<2xf32>, tensor<2xf32>
}
