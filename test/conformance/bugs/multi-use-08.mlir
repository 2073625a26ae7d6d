// Two readers: only the second may write over it.
// DECIDE: %e not over %b: used-later; %d over %b
// WRONG: %e {dnn.inplace = array<i32: 0>} => reads %b
// GIVES: {"a": [1, 2], "b": [3, 4], "c": [5, 6]} => [[2, 2], [8, 10]]

func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32> {dnn.donated}, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %e = "dnn.add"(%b, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = "dnn.sub"(%b, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %d, %e : tensor<2xf32>, tensor<2xf32>
}
