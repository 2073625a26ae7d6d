// Both operands are broadcast: neither has room for the result.
// DECIDE: %c not over %p: broadcast
// WRONG: %p {dnn.reuse = array<i32: 0>}, %c {dnn.reuse = array<i32: 0>} => dnn.add writes %c
// WRONG: %q {dnn.reuse = array<i32: 0>}, %c {dnn.reuse = array<i32: 0>} => dnn.add writes %c
// GIVES: {"a": [[1], [2]], "b": [[10, 20]]} => [[[11, 21], [12, 22]]]

func.func @main(%a: tensor<2x1xf32>, %b: tensor<1x2xf32>) -> tensor<2x2xf32> {
  %p = "dnn.relu"(%a) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %q = "dnn.relu"(%b) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %c = "dnn.add"(%p, %q) : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %c : tensor<2x2xf32>
}
