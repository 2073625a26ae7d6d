// Two halves written one after the other: neither write is dead.
// DECIDE: %o1 over %o; %o2 over %o1
// WRONG: %o {dnn.reuse = array<i32: 0>}, %o1 {dnn.inplace = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %o1
// GIVES: {"x": [1, 2], "y": [3, 4]} => [[-1, -2, 3, 4]]

func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %o = "dnn.zeros"() : () -> tensor<4xf32>
  %a = "dnn.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %o1 = "dnn.slice_scatter"(%o, %a) {dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%y) : (tensor<2xf32>) -> tensor<2xf32>
  %o2 = "dnn.slice_scatter"(%o1, %b) {dim = 0 : i64, start = 2 : i64, end = 4 : i64, step = 1 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %o2 : tensor<4xf32>
}
