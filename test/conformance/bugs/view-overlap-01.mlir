// A piece's bytes are the concat's, and the concat is read later.
// DECIDE: %m apart from %cat
// WRONG: %m {dnn.reuse = array<i32: 0>}, %cat {dnn.reuse = array<i32: 0>, dnn.parts = array<i32: 0, 1>} => reads %v
// GIVES: {"p": [[[-1]], [[2]]], "q": [[[0]], [[0]]]} => [[[[1]], [[6]]]]

func.func @main(%p: tensor<2x1x1xf32>, %q: tensor<2x1x1xf32>) -> tensor<2x1x1xf32> {
  %a = "dnn.relu"(%p) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %b = "dnn.relu"(%q) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %cat = "dnn.concat"(%a, %b) {axis = 1 : i64} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x2x1xf32>
  %m = "dnn.mul"(%p, %p) : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %v = "dnn.slice"(%cat) {dim = 1 : i64, start = 0 : i64, end = 1 : i64, step = 1 : i64} : (tensor<2x2x1xf32>) -> tensor<2x1x1xf32>
  %s = "dnn.add"(%v, %m) : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  func.return %s : tensor<2x1x1xf32>
}
