// Nothing else reads the view, but what it is a view of is returned.
// DECIDE: %t not over %s: returned
// WRONG: %t {dnn.inplace = array<i32: 0>} => func.return reads %u
// GIVES: {"u": [1, 2], "d": [3, 4]} => [[4, 6], [1, 2]]

func.func @main(%u: tensor<2xf32> {dnn.donated}, %d: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %s = "dnn.identity"(%u) : (tensor<2xf32>) -> tensor<2xf32>
  %t = "dnn.add"(%s, %d) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %t, %u : tensor<2xf32>, tensor<2xf32>
}
