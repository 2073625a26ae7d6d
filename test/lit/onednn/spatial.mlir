// Windows over [N, C, spatial…]: channels may be last in memory, and one spatial axis more costs nothing.

// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool - | filecheck %s

// CHECK-LABEL: func.func @main(
func.func @main(%x: memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>, %y: memref<1x2x3x3xf32, strided<[18, 1, 6, 2]>>,
                %z: memref<1x4x2x3xf32>, %s: memref<1x4x10x12xf32, strided<[480, 1, 48, 4]>>) {
  %w = onednn.constant dense<1.0> : tensor<2x4x3x2xf32> -> memref<2x4x3x2xf32>
  %b = onednn.constant dense<1.0> : tensor<2xf32> -> memref<2xf32>
  %c = onednn.constant dense<1.0> : tensor<4xf32> -> memref<4xf32>
  %g = onednn.constant dense<1.0> : tensor<2x2x1x2x2xf32> -> memref<2x2x1x2x2xf32>
  %p = onednn.pack %w : memref<2x4x3x2xf32> -> !onednn.packed<2x4x3x2xf32>
  // CHECK:       onednn.convolution ins(%x, %p, %b : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>, !onednn.packed<2x4x3x2xf32>, memref<2xf32>) outs(%y : memref<1x2x3x3xf32, strided<[18, 1, 6, 2]>>) {begins = array<i64: 1, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 1, 0>, strides = array<i64: 2, 2>}
  onednn.convolution ins(%x, %p, %b : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>, !onednn.packed<2x4x3x2xf32>, memref<2xf32>) outs(%y : memref<1x2x3x3xf32, strided<[18, 1, 6, 2]>>) {begins = array<i64: 1, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 1, 0>, strides = array<i64: 2, 2>}
  // CHECK-NEXT:  onednn.deconvolution ins(%y, %g, %c : memref<1x2x3x3xf32, strided<[18, 1, 6, 2]>>, memref<2x2x1x2x2xf32>, memref<4xf32>) outs(%z : memref<1x4x2x3xf32>)
  onednn.deconvolution ins(%y, %g, %c : memref<1x2x3x3xf32, strided<[18, 1, 6, 2]>>, memref<2x2x1x2x2xf32>, memref<4xf32>) outs(%z : memref<1x4x2x3xf32>) {begins = array<i64: 1, 1>, dilations = array<i64: 1, 1>, ends = array<i64: 1, 0>, strides = array<i64: 1, 1>}
  // CHECK-NEXT:  onednn.pooling ins(%x : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>) outs(%z : memref<1x4x2x3xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 3, 2>, strides = array<i64: 2, 2>}
  onednn.pooling ins(%x : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>) outs(%z : memref<1x4x2x3xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 3, 2>, strides = array<i64: 2, 2>}
  // CHECK-NEXT:  onednn.resampling ins(%x : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>) outs(%s : memref<1x4x10x12xf32, strided<[480, 1, 48, 4]>>) {alg = "nearest"}
  onednn.resampling ins(%x : memref<1x4x5x6xf32, strided<[120, 1, 24, 4]>>) outs(%s : memref<1x4x10x12xf32, strided<[480, 1, 48, 4]>>) {alg = "nearest"}
  func.return
}
