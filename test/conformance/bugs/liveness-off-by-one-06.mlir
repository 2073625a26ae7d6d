// An op that holds an address may read there as long as the address is in use.
// WRONG: %a {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %h

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dnn.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %h = "strange.address"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.relu"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  "strange.call"(%h, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()
  func.return %b : tensor<4xf32>
}
