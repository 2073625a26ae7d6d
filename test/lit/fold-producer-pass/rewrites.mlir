// A comparison makes what a cast of its result would.

// RUN: opt-tool --fold-producer-pass %s | filecheck %s

// CHECK-LABEL: @mask
// CHECK: %f = "dnn.less_or_equal"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %f
func.func @mask(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = "dnn.less_or_equal"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %f = "dnn.cast"(%c) : (tensor<4xi1>) -> tensor<4xf32>
  func.return %f : tensor<4xf32>
}
