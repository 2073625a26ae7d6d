// %b is read when %c and %d are dead: it is made again of %a, which is kept for the last product.

// RUN: opt-tool --recompute-pass=limit=8192,measure=false %s | filecheck %s

// CHECK-LABEL: @main
// CHECK: %b = "dnn.tanh"(%a)
// CHECK-NEXT: %c = "dnn.exp"(%b)
// CHECK: %e = "dnn.mul"(%c, %d)
// CHECK-NEXT: %[[AGAIN:.*]] = "dnn.tanh"(%a)
// CHECK-NEXT: %f = "dnn.mul"(%[[AGAIN]], %e)
func.func @main(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %a = "dnn.exp"(%x) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %b = "dnn.tanh"(%a) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = "dnn.exp"(%b) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %d = "dnn.tanh"(%c) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = "dnn.mul"(%c, %d) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = "dnn.mul"(%b, %e) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %g = "dnn.mul"(%a, %f) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = "dnn.relu"(%g) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  func.return %y : tensor<64x16xf32>
}
