// Compiling runs nothing on the caller's memory: the state is updated once a call.
// DECIDE: %r over %x
// GIVES: {"x": [1], "y": [1]} => [[2]]

func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32> {dnn.tied = 0 : i32}) {
  %r = "dnn.add"(%x, %y) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return %r : tensor<1xf32>
}
