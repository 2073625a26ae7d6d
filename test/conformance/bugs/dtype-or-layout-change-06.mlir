// Equal width is not equal type, and a wider one has no room.
// DECIDE: %b not over %a: kernel; %d not over %a: kernel
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => dnn.cast writes %b
// WRONG: %d {dnn.inplace = array<i32: 0>} => dnn.cast
// GIVES: {"x": [1.5, 2.5, 3.5, 4.5]} => [[1.5, 2.5, 3.5, 4.5], [1, 2, 3, 4]]

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xi32>) {
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.cast"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  %d = "dnn.cast"(%a) : (tensor<4xf32>) -> tensor<4xi32>
  func.return %b, %d : tensor<4xf64>, tensor<4xi32>
}
