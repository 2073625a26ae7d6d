// What the verifier of the ragged GRU refuses, one function each.

// RUN: not opt-tool --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}a GRU has at least one layer and one direction
func.func @case0(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = []}
  func.return
}

// -----

// CHECK: error: {{.*}}a GRU of 2 directions takes 8 ins, or with states to start with 10, not 5
func.func @case1(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [false, true]}
  func.return
}

// -----

// CHECK: error: {{.*}}mode is 'mean', it must be concat or sum
func.func @case2(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true], mode = "mean"}
  func.return
}

// -----

// CHECK: error: {{.*}}a GRU has one out
func.func @case3(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>, %k: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h, %k : memref<5x3xf32>, memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}a GRU reads rows and i64 offsets
func.func @case4(%x: memref<5x4xf32>, %o: memref<3xi32>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi32>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}offsets are dense
func.func @case5(%x: memref<5x4xf32>, %o: memref<6xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  %q = onednn.view %o {offset = 0 : i64} : memref<6xi64> -> memref<3xi64, strided<[2]>>
  onednn.gru ins(%x, %px, %ph, %b, %q : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64, strided<[2]>>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}the directions of layer 0 have different sizes
func.func @case6(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  %w2 = onednn.constant dense<1.0> : tensor<4x6xf32> -> memref<4x6xf32>
  %w3 = onednn.constant dense<1.0> : tensor<2x3x2xf32> -> memref<2x3x2xf32>
  %c = onednn.constant dense<1.0> : tensor<1x6xf32> -> memref<1x6xf32>
  %p2 = onednn.pack %w2 : memref<4x6xf32> -> !onednn.packed<4x6xf32>
  %p3 = onednn.pack %w3 : memref<2x3x2xf32> -> !onednn.packed<2x3x2xf32>
  onednn.gru ins(%x, %px, %ph, %b, %p2, %p3, %c, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, !onednn.packed<4x6xf32>, !onednn.packed<2x3x2xf32>, memref<1x6xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [false, true]}
  func.return
}

// -----

// CHECK: error: {{.*}}states to start with of this GRU is memref<2x3xf32>, not memref<3x3xf32>
func.func @case7(%x: memref<5x4xf32>, %s: memref<3x3xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %s, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3x3xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}the result of this GRU is memref<5x3xf32>, not memref<5x4xf32>
func.func @case8(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x4xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x4xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}the weights of a GRU are all packed, or none of them is
func.func @case9(%x: memref<5x4xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %wx, %ph, %b, %o : memref<5x4xf32>, memref<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}the bias of a GRU with packed weights, and their scales, are constants
func.func @case10(%x: memref<5x4xf32>, %a: memref<1x9xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %a, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}weight_x of this GRU is memref<5x9xf32>, not memref<4x9xf32>
func.func @case11(%x: memref<5x5xf32>, %o: memref<3xi64>, %h: memref<5x3xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  onednn.gru ins(%x, %px, %ph, %b, %o : memref<5x5xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%h : memref<5x3xf32>) {reverse = [true]}
  func.return
}

// -----

// CHECK: error: {{.*}}out 0 may not be written over in 0
func.func @case12(%o: memref<3xi64>, %h: memref<5x4xf32>) {
  %wx = onednn.constant dense<1.0> : tensor<4x9xf32> -> memref<4x9xf32>
  %wh = onednn.constant dense<1.0> : tensor<3x3x3xf32> -> memref<3x3x3xf32>
  %b = onednn.constant dense<1.0> : tensor<1x9xf32> -> memref<1x9xf32>
  %px = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
  %ph = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
  %w2 = onednn.constant dense<1.0> : tensor<4x6xf32> -> memref<4x6xf32>
  %w3 = onednn.constant dense<1.0> : tensor<2x3x2xf32> -> memref<2x3x2xf32>
  %c = onednn.constant dense<1.0> : tensor<1x6xf32> -> memref<1x6xf32>
  %p2 = onednn.pack %w2 : memref<4x6xf32> -> !onednn.packed<4x6xf32>
  %p3 = onednn.pack %w3 : memref<2x3x2xf32> -> !onednn.packed<2x3x2xf32>
  onednn.gru ins(%h, %p2, %p3, %c, %p2, %p3, %c, %o : memref<5x4xf32>, !onednn.packed<4x6xf32>, !onednn.packed<2x3x2xf32>, memref<1x6xf32>, !onednn.packed<4x6xf32>, !onednn.packed<2x3x2xf32>, memref<1x6xf32>, memref<3xi64>) outs(%h : memref<5x4xf32>) {reverse = [false, true]}
  func.return
}
