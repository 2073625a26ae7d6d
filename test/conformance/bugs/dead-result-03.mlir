// A store reads what it stores; the rest of the state stays.
// DECIDE: %w over %g
// WRONG: %one {dnn.reuse = array<i32: 0>}, %v {dnn.reuse = array<i32: 0>}, %e {dnn.reuse = array<i32: 1>}, %t {dnn.reuse = array<i32: 1>} => reads %e
// GIVES: {"g": [[0, 0, 0], [0, 0, 0]], "x": [3]} => [[[1, 0, 0], [0, 0, 0]], [-3]]

func.func @main(%g: tensor<2x3xf32>, %x: tensor<1xf32>) -> (tensor<2x3xf32> {dnn.tied = 0 : i32}, tensor<1xf32>) {
  %one = "dnn.ones"() : () -> tensor<1xf32>
  %v = "dnn.as_strided"(%g) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 0 : i64, dnn.copy} : (tensor<2x3xf32>) -> tensor<1xf32>
  %e = "dnn.add"(%v, %one) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %t = "dnn.neg"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  %w = "dnn.as_strided_scatter"(%g, %e) {size = array<i64: 1>, stride = array<i64: 1>, storage_offset = 0 : i64} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %w, %t : tensor<2x3xf32>, tensor<1xf32>
}
