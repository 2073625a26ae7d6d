// What the verifiers of steps of training refuse, one function each.

// RUN: not opt-tool --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}eltwise has no gradient of 'gelu_erf'
func.func @algorithm(%x: memref<4xf32>, %dy: memref<4xf32>) {
  onednn.eltwise_backward "gelu_erf" ins(%x, %dy : memref<4xf32>, memref<4xf32>) outs(%dy : memref<4xf32>) {from_dst = true}
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 may not be written over in 0
func.func @over_data(%x: memref<4xf32>, %dy: memref<4xf32>) {
  onednn.eltwise_backward "relu" ins(%x, %dy : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  func.return
}

// -----

// CHECK: error: {{.*}}axis 1 is none of memref<4xf32>
func.func @softmax(%y: memref<4xf32>, %dy: memref<4xf32>) {
  onednn.softmax_backward ins(%y, %dy : memref<4xf32>, memref<4xf32>) outs(%dy : memref<4xf32>) {axis = 1 : i64}
  func.return
}

// -----

// CHECK: error: {{.*}}no onednn.convolution_weights_grad makes memref<5x4x3x3xf32> of
func.func @weights(%x: memref<2x4x6x6xf32>, %dy: memref<2x4x4x4xf32>, %dw: memref<5x4x3x3xf32>) {
  onednn.convolution_weights_grad ins(%x, %dy : memref<2x4x6x6xf32>, memref<2x4x4x4xf32>) outs(%dw : memref<5x4x3x3xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}must lie like
func.func @numbers(%x: memref<2x4x6x6xf32>, %y: memref<2x4x3x3xf32>, %k: memref<2x4x3x3xui8, strided<[36, 1, 12, 4]>>) {
  onednn.max_pooling ins(%x : memref<2x4x6x6xf32>) outs(%y, %k : memref<2x4x3x3xf32>, memref<2x4x3x3xui8, strided<[36, 1, 12, 4]>>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  func.return
}

// -----

// CHECK: error: {{.*}}onednn.pooling_backward has 2 ins and 1 outs, 1 and 1 are given
func.func @without_numbers(%dy: memref<2x4x3x3xf32>, %dx: memref<2x4x6x6xf32>) {
  onednn.pooling_backward ins(%dy : memref<2x4x3x3xf32>) outs(%dx : memref<2x4x6x6xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  func.return
}

// -----

// CHECK: error: {{.*}}statistic is one of mean, variance, not median
func.func @statistic(%a: memref<4xf32>, %b: memref<4xf32>) {
  onednn.running_statistic ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>) {momentum = 0.9 : f32, statistic = "median"}
  func.return
}

// -----

// CHECK: error: {{.*}}onednn.batch_norm_backward wants memref<4xf32>, not memref<3xf32>
func.func @channels(%x: memref<2x4x6xf32>, %c: memref<4xf32>, %d: memref<3xf32>, %dy: memref<2x4x6xf32>, %e: memref<4xf32>, %f: memref<4xf32>) {
  onednn.batch_norm_backward ins(%x, %c, %c, %d, %dy : memref<2x4x6xf32>, memref<4xf32>, memref<4xf32>, memref<3xf32>, memref<2x4x6xf32>) outs(%dy, %e, %f : memref<2x4x6xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5 : f32}
  func.return
}

// -----

// CHECK: error: {{.*}}mean and variance of memref<5x4xf32> are dense f32 without its last axis
func.func @rows(%x: memref<5x4xf32>, %m: memref<4xf32>, %s: memref<4xf32>, %dy: memref<5x4xf32>, %e: memref<4xf32>, %f: memref<4xf32>) {
  onednn.layer_norm_backward ins(%x, %m, %m, %s, %dy, %s : memref<5x4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<5x4xf32>, memref<4xf32>) outs(%dy, %e, %f : memref<5x4xf32>, memref<4xf32>, memref<4xf32>) {epsilon = 1.0e-5 : f32}
  func.return
}
