// A statement that makes nothing reads all the same.
// DECIDE: %b apart from %s
// WRONG: %s {dnn.reuse = array<i32: 0>}, %b {dnn.reuse = array<i32: 0>} => reads %s

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = "dnn.exp"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %a = "dnn.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dnn.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "strange.release"(%s) : (tensor<4xf32>) -> ()
  func.return %b : tensor<4xf32>
}
