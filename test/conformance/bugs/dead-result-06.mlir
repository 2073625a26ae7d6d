// An unread result is written all the same.
// WRONG: %v {dnn.reuse = array<i32: 0, 0>} => %i
// GIVES: {"x": [3, 1, 4, 1, 5, 9, 2, 6]} => [[9, 6]]

func.func @main(%x: tensor<8xf32>) -> tensor<2xf32> {
  %v, %i = "dnn.top_k"(%x) {k = 2 : i64} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  func.return %v : tensor<2xf32>
}
