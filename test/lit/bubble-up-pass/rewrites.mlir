// A max pool reads what the activation read, and the activation what the pool gives.

// RUN: opt-tool --bubble-up-pass %s | filecheck %s
// RUN: opt-tool --bubble-up-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 8]]:8: remark: dnn.max_pool (y): moved before dnn.relu, whose result it read

// CHECK-LABEL: @relu
// CHECK-NEXT: %[[P:[0-9]+]] = "dnn.max_pool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x8x8xf32>) -> tensor<?x2x4x4xf32>
// CHECK-NEXT: %y = "dnn.relu"(%[[P]]) : (tensor<?x2x4x4xf32>) -> tensor<?x2x4x4xf32>
// CHECK-NEXT: func.return %y
func.func @relu(%x: tensor<?x2x8x8xf32>) -> tensor<?x2x4x4xf32> {
  %a = "dnn.relu"(%x) : (tensor<?x2x8x8xf32>) -> tensor<?x2x8x8xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<?x2x8x8xf32>) -> tensor<?x2x4x4xf32>
  func.return %y : tensor<?x2x4x4xf32>
}

// The alpha goes with the activation. Padding is less than the window.

// CHECK-LABEL: @leaky
// CHECK-NEXT: %[[P:[0-9]+]] = "dnn.max_pool"(%x) {{.*}}pads = array<i64: 1, 1>
// CHECK-NEXT: %y = "dnn.leaky_relu"(%[[P]]) {alpha = 2.500000e-01 : f32}
func.func @leaky(%x: tensor<1x2x7xf32>) -> tensor<1x2x4xf32> {
  %a = "dnn.leaky_relu"(%x) {alpha = 0.25 : f32} : (tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  %y = "dnn.max_pool"(%a) {kernel_shape = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 1, 1>} : (tensor<1x2x7xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Two activations: the pool passes both.

// CHECK-LABEL: @two
// CHECK-NEXT: "dnn.max_pool"(%x)
// CHECK-NEXT: "dnn.relu"
// CHECK-NEXT: "dnn.relu"
func.func @two(%x: tensor<1x2x8xf32>) -> tensor<1x2x4xf32> {
  %a = "dnn.relu"(%x) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %b = "dnn.relu"(%a) : (tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = "dnn.max_pool"(%b) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
