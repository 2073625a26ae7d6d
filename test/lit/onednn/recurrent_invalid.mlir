// What the verifier of a recurrent layer refuses, one function each.

// RUN: not opt-tool --split-input-file %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}cell is 'sru', it must be one of lstm, lbr_gru, gru, rnn_tanh, rnn_relu, rnn_logistic, rnn
func.func @case0(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "sru"}
  func.return
}

// -----

// CHECK: error: {{.*}}a cell gru has no peephole
func.func @case1(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", peephole = true}
  func.return
}

// -----

// CHECK: error: {{.*}}has 4 ins and 2 outs, 3 and 2 are given
func.func @case2(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {bias = true, cell = "gru"}
  func.return
}

// -----

// CHECK: error: {{.*}}has 3 ins and 3 outs, 3 and 2 are given
func.func @case3(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "lstm"}
  func.return
}

// -----

// CHECK: error: {{.*}}w of this layer is memref<3x4xf32>, not memref<9x4xf32>
func.func @case4(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "rnn_tanh"}
  func.return
}

// -----

// CHECK: error: {{.*}}all weights of a recurrent layer are packed, or none
func.func @case5(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %w, %pr : memref<5x2x4xf32>, memref<9x4xf32>, !onednn.packed<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru"}
  func.return
}

// -----

// CHECK: error: {{.*}}y of this layer is memref<5x2x3xf32>, not memref<1x1x2x3xf32>
func.func @case6(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>) outs(%h, %y : memref<1x1x2x3xf32>, memref<5x2x3xf32>) {cell = "gru"}
  func.return
}

// -----

// CHECK: error: {{.*}}out 1 may not be written over in 4
func.func @case7(%x: memref<5x2x4xf32>, %s: memref<1x1x2x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>, %c: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<12x4xf32> -> memref<12x4xf32>
  %r = onednn.constant dense<1.0> : tensor<12x3xf32> -> memref<12x3xf32>
  %pw = onednn.pack %w : memref<12x4xf32> -> !onednn.packed<12x4xf32>
  %pr = onednn.pack %r : memref<12x3xf32> -> !onednn.packed<12x3xf32>
  onednn.recurrent ins(%x, %pw, %pr, %h, %c : memref<5x2x4xf32>, !onednn.packed<12x4xf32>, !onednn.packed<12x3xf32>, memref<1x1x2x3xf32>, memref<1x1x2x3xf32>) outs(%y, %c, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>, memref<1x1x2x3xf32>) {cell = "lstm", state = true}
  func.return
}

// -----

// CHECK: error: {{.*}}lengths of this layer is memref<2xi32> or memref<2xi64>, not memref<3xi64>
func.func @lengths(%x: memref<5x2x4xf32>, %l: memref<3xi64>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  %w = onednn.constant dense<1.0> : tensor<9x4xf32> -> memref<9x4xf32>
  %r = onednn.constant dense<1.0> : tensor<9x3xf32> -> memref<9x3xf32>
  %pw = onednn.pack %w : memref<9x4xf32> -> !onednn.packed<9x4xf32>
  %pr = onednn.pack %r : memref<9x3xf32> -> !onednn.packed<9x3xf32>
  onednn.recurrent ins(%x, %pw, %pr, %l : memref<5x2x4xf32>, !onednn.packed<9x4xf32>, !onednn.packed<9x3xf32>, memref<3xi64>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", lengths = true}
  func.return
}

// -----

// CHECK: error: {{.*}}weights of a recurrent layer that are not packed are dense
func.func @strided(%x: memref<5x2x4xf32>, %w: memref<9x4xf32, strided<[8, 1]>>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32, strided<[8, 1]>>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru"}
  func.return
}

// -----

// CHECK: error: {{.*}}a cell gru has 2 functions, 1 are stated
func.func @functions(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", functions = ["Tanh"], parameters = array<f64: 0.0, 0.0>}
  func.return
}

// -----

// CHECK: error: {{.*}}a cell rnn has 1 functions, 0 are stated
func.func @rnn(%x: memref<5x2x4xf32>, %w: memref<3x4xf32>, %r: memref<3x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<3x4xf32>, memref<3x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "rnn"}
  func.return
}

// -----

// CHECK: error: {{.*}}the function 'Swish' is not known, it must be one of Sigmoid, 
func.func @unknown(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", functions = ["Tanh", "Swish"], parameters = array<f64: 0.0, 0.0, 0.0, 0.0>}
  func.return
}

// -----

// CHECK: error: {{.*}}parameters are 4 numbers, alpha and beta of each function
func.func @parameters(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", functions = ["Tanh", "Relu"], parameters = array<f64: 0.0>}
  func.return
}

// -----

// CHECK: error: {{.*}}clip is -1.0, it must be 0 or more
func.func @clip(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", clip = -1.0 : f32}
  func.return
}

// -----

// CHECK: error: {{.*}}a cell gru has no forget gate
func.func @forget(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", input_forget = true}
  func.return
}

// -----

// CHECK: error: {{.*}}only is 'h' or 'c', of an lstm
func.func @only(%x: memref<5x2x4xf32>, %w: memref<9x4xf32>, %r: memref<9x3xf32>, %y: memref<5x2x3xf32>, %h: memref<1x1x2x3xf32>) {
  onednn.recurrent ins(%x, %w, %r : memref<5x2x4xf32>, memref<9x4xf32>, memref<9x3xf32>) outs(%y, %h : memref<5x2x3xf32>, memref<1x1x2x3xf32>) {cell = "gru", only = "h", state = true}
  func.return
}
