// A shared place is as large as its largest member.
// RIGHT: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>}
// GIVES: {"x": [1, 2, 3]} => [-6, [1, 1, 1, 1, 1]]

func.func @main(%x: tensor<3xf32>) -> (tensor<f32>, tensor<5xf32>) {
  %a = "dnn.neg"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %c = "dnn.reduce_sum"(%a) {axes = array<i64: 0>, keepdims = false} : (tensor<3xf32>) -> tensor<f32>
  %b = "dnn.ones"() : () -> tensor<5xf32>
  func.return %c, %b : tensor<f32>, tensor<5xf32>
}
