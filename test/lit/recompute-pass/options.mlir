// Only with ops=all does a product of matrices run again.

// RUN: opt-tool --recompute-pass=limit=8192,measure=false,ops=all %s | filecheck %s
// RUN: opt-tool --recompute-pass=limit=8192,measure=false %s | filecheck %s --check-prefix=CHEAP

// CHECK-COUNT-3: "dnn.matmul"
// CHEAP-COUNT-2: "dnn.matmul"
// CHEAP-NOT: "dnn.matmul"
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.matmul"(%x, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %b = "dnn.matmul"(%a, %w) : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = "dnn.mul"(%b, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %g : tensor<64x16xf32>
}
