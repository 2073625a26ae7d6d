// A window of the whole is filled through a second name.
// DIFFERS: dnn.as_strided counts within its operand, so the window is taken of %x itself.
// DECIDE: %y over %x; %f over %w
// GIVES: {"x": [0, 1, 2, 3, 4]} => [[7, 7, 7, 3, 4]]

func.func @main(%x: tensor<5xf32>) -> (tensor<5xf32> {dnn.tied = 0 : i32}) {
  %w = "dnn.as_strided"(%x) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<5xf32>) -> tensor<3xf32>
  %f = "dnn.fill"(%w) {value = 7.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  %y = "dnn.as_strided_scatter"(%x, %f) {size = array<i64: 3>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<5xf32>, tensor<3xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}
