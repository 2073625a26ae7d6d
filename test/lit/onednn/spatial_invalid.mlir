// What the verifiers of ops with windows refuse, one function each.

// RUN: not opt-tool --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}a window of (3, 2) does not move over memref<1x4x5x6xf32> as onednn.convolution says
func.func @places(%x: memref<1x4x5x6xf32>, %w: memref<2x4x3x2xf32>, %y: memref<1x2x3x4xf32>) {
  onednn.convolution ins(%x, %w : memref<1x4x5x6xf32>, memref<2x4x3x2xf32>) outs(%y : memref<1x2x3x4xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}no onednn.convolution makes memref<1x2x3x5xf32> of memref<1x3x5x6xf32> and memref<2x4x3x2xf32>
func.func @channels(%x: memref<1x3x5x6xf32>, %w: memref<2x4x3x2xf32>, %y: memref<1x2x3x5xf32>) {
  onednn.convolution ins(%x, %w : memref<1x3x5x6xf32>, memref<2x4x3x2xf32>) outs(%y : memref<1x2x3x5xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}onednn.convolution wants memref<2xf32>, not memref<3xf32>
func.func @bias(%x: memref<1x4x5x6xf32>, %w: memref<2x4x3x2xf32>, %b: memref<3xf32>, %y: memref<1x2x3x5xf32>) {
  onednn.convolution ins(%x, %w, %b : memref<1x4x5x6xf32>, memref<2x4x3x2xf32>, memref<3xf32>) outs(%y : memref<1x2x3x5xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}a window of (3, 2) does not move over memref<1x4x5x6xf32> as onednn.deconvolution says
func.func @transposed(%x: memref<1x2x3x4xf32>, %w: memref<4x2x3x2xf32>, %y: memref<1x4x5x6xf32>) {
  onednn.deconvolution ins(%x, %w : memref<1x2x3x4xf32>, memref<4x2x3x2xf32>) outs(%y : memref<1x4x5x6xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}onednn.convolution has 2 or 3 ins, 1 are given
func.func @weights(%x: memref<1x4x5x6xf32>, %y: memref<1x4x5x6xf32>) {
  onednn.convolution ins(%x : memref<1x4x5x6xf32>) outs(%y : memref<1x4x5x6xf32>) {begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 may not be written over in 0
func.func @over(%x: memref<1x4x5x6xf32>) {
  onednn.pooling ins(%x : memref<1x4x5x6xf32>) outs(%x : memref<1x4x5x6xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}alg is one of max, avg_exclude_padding, avg_include_padding, not least
func.func @algorithm(%x: memref<1x4x5x6xf32>, %y: memref<1x4x5x6xf32>) {
  onednn.pooling ins(%x : memref<1x4x5x6xf32>) outs(%y : memref<1x4x5x6xf32>) {alg = "least", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}no pooling makes memref<1x3x5x6xf32> of memref<1x4x5x6xf32>
func.func @pooled_channels(%x: memref<1x4x5x6xf32>, %y: memref<1x3x5x6xf32>) {
  onednn.pooling ins(%x : memref<1x4x5x6xf32>) outs(%y : memref<1x3x5x6xf32>) {alg = "max", begins = array<i64: 0, 0>, dilations = array<i64: 1, 1>, ends = array<i64: 0, 0>, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>}
  func.return
}

// -----

// CHECK: error: {{.*}}alg is one of nearest, linear, not cubic
func.func @interpolation(%x: memref<1x4x5x6xf32>, %y: memref<1x4x5x7xf32>) {
  onednn.resampling ins(%x : memref<1x4x5x6xf32>) outs(%y : memref<1x4x5x7xf32>) {alg = "cubic"}
  func.return
}

// -----

// CHECK: error: {{.*}}no resampling makes memref<1x3x5x7xf32> of memref<1x4x5x6xf32>
func.func @resampled_channels(%x: memref<1x4x5x6xf32>, %y: memref<1x3x5x7xf32>) {
  onednn.resampling ins(%x : memref<1x4x5x6xf32>) outs(%y : memref<1x3x5x7xf32>) {alg = "linear"}
  func.return
}
