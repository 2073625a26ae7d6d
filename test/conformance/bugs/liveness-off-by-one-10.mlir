// The first thing done to a variable is to read it, so what it held must still be there.
// WRONG: %v {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %v
// GIVES: {"x": [1, 2], "z": [0, 0]} => [[-1, -2], [2.7182817, 2.7182817]]

func.func @main(%x: tensor<2xf32>, %z: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %v = "dnn.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %one = "dnn.ones"() : () -> tensor<2xf32>
  %t = "dnn.add"(%z, %one) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %u = "dnn.neg"(%v) : (tensor<2xf32>) -> tensor<2xf32>
  %w = "dnn.exp"(%t) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %u, %w : tensor<2xf32>, tensor<2xf32>
}
