// With only-activations, what is written as several ops is one, and nothing is fused.

// RUN: opt-tool --post-op-fusion-pass=only-activations=true %s | filecheck %s

// CHECK-LABEL: @main
// CHECK: %y = "dnn.matmul"(%x, %w) :
// CHECK-NEXT: %[[S:.*]] = "dnn.silu"(%y) :
// CHECK-NEXT: func.return %[[S]]
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = "dnn.matmul"(%x, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %g = "dnn.sigmoid"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = "dnn.mul"(%g, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}
