// A value made inside a region is made while those outside that the region reads later are alive.
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %a
// DECIDE: %b apart from %a
// GIVES: {"x": [0, 0], "c": true} => [[2, 2]]

func.func @main(%x: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %a = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %r = scf.if %c -> (tensor<2xf32>) {
    %b = "dnn.exp"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %d = "dnn.add"(%b, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  func.return %r : tensor<2xf32>
}
