// Offsets are bytes, not elements.
// WRONG: func.func {dnn.arena_bytes = 512 : i64}, %a {dnn.offset = array<i64: 0>}, %b {dnn.offset = array<i64: 64>} => reads %a
// RIGHT: func.func {dnn.arena_bytes = 512 : i64}, %a {dnn.offset = array<i64: 0>}, %b {dnn.offset = array<i64: 256>}

func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<f32> {
  %a = "dnn.relu"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "dnn.relu"(%y) : (tensor<64xf32>) -> tensor<64xf32>
  %c = "dnn.matmul"(%a, %b) : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
  func.return %c : tensor<f32>
}
