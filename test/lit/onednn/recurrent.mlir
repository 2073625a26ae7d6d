// One direction of a recurrent layer, as it prints, and through the generic form.

// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool - | filecheck %s

// CHECK-LABEL: func.func @plain
// CHECK:         onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "lbr_gru", reverse = true}
func.func @plain(%x: memref<5x2x4xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "lbr_gru", reverse = true}
  func.return
}

// CHECK-LABEL: func.func @all
// CHECK:         onednn.recurrent ins(%x, %pw, %pr, %pb, %s, %c, %pp : {{.*}}) outs(%y, %h, %e : {{.*}}) {bias = true, cell = "lstm", peephole = true, state = true}
func.func @all(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %c: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>, %e: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<12x4xf32> -> memref<12x4xf32>
  %r = onednn.constant dense<1.0> : tensor<12x3xf32> -> memref<12x3xf32>
  %b = onednn.constant dense<1.0> : tensor<24xf32> -> memref<24xf32>
  %p = onednn.constant dense<1.0> : tensor<9xf32> -> memref<9xf32>
  %pw = onednn.pack %w : memref<12x4xf32> -> !onednn.packed<12x4xf32>
  %pr = onednn.pack %r : memref<12x3xf32> -> !onednn.packed<12x3xf32>
  %pb = onednn.pack %b : memref<24xf32> -> !onednn.packed<24xf32>
  %pp = onednn.pack %p : memref<9xf32> -> !onednn.packed<9xf32>
  onednn.recurrent ins(%x, %pw, %pr, %pb, %s, %c, %pp : memref<5x2x4xf32>, !onednn.packed<12x4xf32>, !onednn.packed<12x3xf32>, !onednn.packed<24xf32>, memref<1x1x2x3xf32>, memref<1x1x2x3xf32>, !onednn.packed<9xf32>) outs(%y, %h, %e : memref<5x2x3xf32>, memref<1x1x2x3xf32>, memref<1x1x2x3xf32>) {bias = true, cell = "lstm", peephole = true, state = true}
  func.return
}

// CHECK-LABEL: func.func @lengths
// CHECK:         onednn.recurrent ins(%x, %pw, %pr, %l : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>, memref<2xi64>) outs(%y, %h : {{.*}}) {cell = "gru", lengths = true}
func.func @lengths(%x: memref<5x2x4xf32>, %l: memref<2xi64>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr, %l : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>, memref<2xi64>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", lengths = true}
  func.return
}

// CHECK-LABEL: func.func @functions
// CHECK:         onednn.recurrent ins(%x, %w, %r, %c : {{.*}}) outs(%y, %h, %e : {{.*}}) {cell = "lstm", clip = 5.000000e-01 : f32, functions = ["HardSigmoid", "Tanh", "Relu"], input_forget = true, only = "c", parameters = array<f64: 2.500000e-01, 5.000000e-01, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00>, state = true}
func.func @functions(%x: memref<5x2x4xf32>, %w: memref<12x4xf32>, %r: memref<12x3xf32>, %c: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>, %e: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r, %c : memref<5x2x4xf32>, memref<12x4xf32>, memref<12x3xf32>, memref<1x1x2x3xf32>) outs(%y, %h, %e : memref<5x2x3xf32>, memref<1x1x2x3xf32>, memref<1x1x2x3xf32>) {cell = "lstm", clip = 0.5 : f32, functions = ["HardSigmoid", "Tanh", "Relu"], input_forget = true, only = "c", parameters = array<f64: 0.25, 0.5, 0.0, 0.0, 0.0, 0.0>, state = true}
  func.return
}
