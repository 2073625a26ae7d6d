// A value that a branch captures is read by the branch.
// WRONG: %a {dnn.reuse = array<i32: 0>}, %t {dnn.reuse = array<i32: 0>} => reads %a
// DECIDE: %t apart from %a
// GIVES: {"x": [0, 0, 0, 0], "c": true} => [[2, 2, 2, 2], [0, 0, 0, 0]]
// GIVES: {"x": [0, 0, 0, 0], "c": false} => [[0, 0, 0, 0], [0, 0, 0, 0]]

func.func @main(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %t = "dnn.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %m = "dnn.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
