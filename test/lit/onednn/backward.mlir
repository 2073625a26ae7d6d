// Steps of training, in place over the gradient of the result where oneDNN documents that.

// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool - | filecheck %s

// CHECK-LABEL: func.func @main(
func.func @main(%x: memref<2x4x6x6xf32>, %dy: memref<2x4x6x6xf32>, %dx: memref<2x4x6x6xf32>, %dw: memref<4x4x3x3xf32>,
                %p: memref<2x4x3x3xf32>, %k: memref<2x4x3x3xui8>, %c: memref<4xf32>, %e: memref<4xf32>,
                %f: memref<4xf32>) {
  // CHECK:       onednn.eltwise_backward "relu" ins(%x, %dy : memref<2x4x6x6xf32>, memref<2x4x6x6xf32>) outs(%dy : memref<2x4x6x6xf32>) {from_dst = true}
  onednn.eltwise_backward "relu" ins(%x, %dy : memref<2x4x6x6xf32>, memref<2x4x6x6xf32>) outs(%dy : memref<2x4x6x6xf32>) {from_dst = true}
  // CHECK-NEXT:  onednn.convolution_weights_grad ins(%x, %dy : memref<2x4x6x6xf32>, memref<2x4x6x6xf32>) outs(%dw : memref<4x4x3x3xf32>)
  onednn.convolution_weights_grad ins(%x, %dy : memref<2x4x6x6xf32>, memref<2x4x6x6xf32>) outs(%dw : memref<4x4x3x3xf32>) {begins = array<i64: 1, 1>, dilations = array<i64: 1, 1>, ends = array<i64: 1, 1>, strides = array<i64: 1, 1>}
  // CHECK-NEXT:  onednn.max_pooling ins(%x : memref<2x4x6x6xf32>) outs(%p, %k : memref<2x4x3x3xf32>, memref<2x4x3x3xui8>)
  onednn.max_pooling ins(%x : memref<2x4x6x6xf32>) outs(%p, %k : memref<2x4x3x3xf32>, memref<2x4x3x3xui8>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  // CHECK-NEXT:  onednn.pooling_backward ins(%p, %k : memref<2x4x3x3xf32>, memref<2x4x3x3xui8>) outs(%dx : memref<2x4x6x6xf32>)
  onednn.pooling_backward ins(%p, %k : memref<2x4x3x3xf32>, memref<2x4x3x3xui8>) outs(%dx : memref<2x4x6x6xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  // CHECK-NEXT:  onednn.batch_norm_training ins(%x, %c, %c : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>) outs(%x, %e, %f : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>)
  onednn.batch_norm_training ins(%x, %c, %c : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>) outs(%x, %e, %f : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5 : f32}
  // CHECK-NEXT:  onednn.running_statistic ins(%c, %e : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  onednn.running_statistic ins(%c, %e : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>) {momentum = 0.9 : f32, statistic = "mean"}
  // CHECK-NEXT:  onednn.batch_norm_backward ins(%x, %c, %c, %c, %dy : {{.*}}) outs(%dy, %e, %f : {{.*}})
  onednn.batch_norm_backward ins(%x, %c, %c, %c, %dy : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<2x4x6x6xf32>) outs(%dy, %e, %f : memref<2x4x6x6xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5 : f32}
  func.return
}
// CHECK-LABEL: func.func @layers(
func.func @layers(%x: memref<5x4xf32>, %m: memref<5xf32>, %s: memref<4xf32>, %dy: memref<5x4xf32>, %e: memref<4xf32>,
                  %f: memref<4xf32>) {
  // CHECK-NEXT:  onednn.softmax_backward ins(%x, %dy : memref<5x4xf32>, memref<5x4xf32>) outs(%dy : memref<5x4xf32>) {axis = 1 : i64, log = true}
  onednn.softmax_backward ins(%x, %dy : memref<5x4xf32>, memref<5x4xf32>) outs(%dy : memref<5x4xf32>) {axis = 1 : i64, log = true}
  // CHECK-NEXT:  onednn.layer_norm_backward ins(%x, %m, %m, %s, %dy, %s : {{.*}}) outs(%dy, %e, %f : {{.*}})
  onednn.layer_norm_backward ins(%x, %m, %m, %s, %dy, %s : memref<5x4xf32>, memref<5xf32>, memref<5xf32>, memref<4xf32>, memref<5x4xf32>, memref<4xf32>) outs(%dy, %e, %f : memref<5x4xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5 : f32}
  func.return
}
