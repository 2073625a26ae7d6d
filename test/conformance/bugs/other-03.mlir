// What is accumulated into is read.
// DECIDE: %r over %g
// WRONG: %g {dnn.reuse = 0 : i32}, %t {dnn.reuse = array<i32: 0>}, %r {dnn.reuse = array<i32: 0>} => reads %g
// GIVES: {"g": [1], "a": [1], "b": [1], "c": [1], "d": [1], "e": [1]} => [[6]]

func.func @main(%g: tensor<1xf32>, %a: tensor<1xf32>, %b: tensor<1xf32>, %c: tensor<1xf32>, %d: tensor<1xf32>, %e: tensor<1xf32>) -> (tensor<1xf32> {dnn.tied = 0 : i32}) {
  %t = "dnn.sum"(%a, %b, %c, %d) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %r = "dnn.sum"(%g, %t, %e) : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %r : tensor<1xf32>
}
