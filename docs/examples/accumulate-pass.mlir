// opt-tool --accumulate-pass
// The gradient of %w is added to the velocity: it needs no memory.
func.func @main(%d: tensor<8x4xf32>, %x: tensor<8x3xf32>, %w: tensor<4x3xf32> {dnn.donated}, %v: tensor<4x3xf32> {dnn.donated}, %lr: tensor<f32>) -> (tensor<4x3xf32> {dnn.tied = 2 : i32}, tensor<4x3xf32> {dnn.tied = 3 : i32}) {
  %g = "dnn.gemm"(%d, %x) {transA = 1 : i64} : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u, %s = "dnn.momentum"(%w, %g, %v, %lr) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  func.return %u, %s : tensor<4x3xf32>, tensor<4x3xf32>
}
