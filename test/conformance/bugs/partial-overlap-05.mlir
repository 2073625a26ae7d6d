// A part put back one further: it is copied first, or the update reads what it wrote.
// DECIDE: %y not over %base: overlapping-view
// WRONG: %y {dnn.inplace = array<i32: 0>} => dnn.slice_scatter
// GIVES: {"x": [0, 1, 2, 3]} => [[1, 1, 2, 3]]

func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %one = "dnn.constant"() {value = dense<1> : tensor<4xi32>} : () -> tensor<4xi32>
  %base = "dnn.add"(%x, %one) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %u = "dnn.slice"(%base) {dim = 0 : i64, start = 0 : i64, end = 3 : i64, step = 1 : i64} : (tensor<4xi32>) -> tensor<3xi32>
  %y = "dnn.slice_scatter"(%base, %u) {dim = 0 : i64, start = 1 : i64, end = 4 : i64, step = 1 : i64} : (tensor<4xi32>, tensor<3xi32>) -> tensor<4xi32>
  func.return %y : tensor<4xi32>
}
