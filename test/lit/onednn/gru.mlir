// The ragged GRU, as it prints, and through the generic form.

// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool - | filecheck %s

// CHECK-LABEL: func.func @one
// CHECK:         onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
func.func @one(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// With states to start with, and over its own x.
// CHECK-LABEL: func.func @over
// CHECK:         onednn.gru ins(%h, %pw, %ph, %b, %s, %o : memref<5x3xf32>, !onednn.packed<3x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<2x3xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [false]}
func.func @over(%s: memref<2x3xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  %w = onednn.constant dense<1.0> : tensor<3x9xf32> -> memref<3x9xf32>
  %pw = onednn.pack %w : memref<3x9xf32> -> !onednn.packed<3x9xf32>
  onednn.gru ins(%h, %pw, %ph, %b, %s, %o : memref<5x3xf32>, !onednn.packed<3x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<2x3xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [false]}
  func.return
}

// CHECK-LABEL: func.func @both
// CHECK:         onednn.gru ins(%x, %px, %ph, %b, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x6xf32>) {reverse = [false, true], mode = "concat"}
func.func @both(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x6xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x6xf32>) {reverse = [false, true], mode = "concat"}
  func.return
}
