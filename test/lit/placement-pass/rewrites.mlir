// Every op that computes gets the engine that runs it.

// RUN: opt-tool --placement-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --placement-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// oneDNN where it has a primitive for the types; a GRU also before its weights are prepared.
// REMARK: rewrites.mlir:[[# @LINE + 12]]:8: remark: dnn.matmul (a): runs on "onednn"
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    "dnn.constant"() {value = dense<0.000000e+00> : tensor<1x3xf32>} :
// CHECK-NEXT:    "dnn.matmul"(%x, %w) {dnn.engine = "onednn"} :
// CHECK-NEXT:    "dnn.neg"(%a) {dnn.engine = "native"} :
// CHECK-NEXT:    "dnn.softmax"(%b) {axis = 1 : i64, dnn.engine = "native"} :
// CHECK-NEXT:    "dnn.concat"(%b, %c) :
// CHECK-NEXT:    "dnn.gru"(%b, %wh, %z, %o) {{.*}}dnn.engine = "cpu"} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %w, %wh, %o) {{.*}}dnn.engine = "onednn"} :
// CHECK-NEXT:    "dnn.fused_gru"(%x, %w, %wh, %o) {activation = "relu", {{.*}}dnn.engine = "cpu"} :
func.func @main(%x: tensor<5x2xf32>, %w: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<?xi64>) -> (tensor<10x3xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) {
  %z = "dnn.constant"() {value = dense<0.0> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %a = "dnn.matmul"(%x, %w) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %b = "dnn.neg"(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %c = "dnn.softmax"(%b) {axis = 1 : i64} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %d = "dnn.concat"(%b, %c) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<10x3xf32>
  %e = "dnn.gru"(%b, %wh, %z, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<5x1xf32>
  %f = "dnn.fused_gru"(%x, %w, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<5x1xf32>
  %g = "dnn.fused_gru"(%x, %w, %wh, %o) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<?xi64>) -> tensor<5x1xf32>
  func.return %d, %e, %f, %g : tensor<10x3xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>
}

// In regions too. Element types decide.
// CHECK-LABEL: func.func @inside(
// CHECK:           "dnn.relu"(%s) {dnn.engine = "native"} : (tensor<4xf64>)
// CHECK:           "dnn.softmax"(%h) {axis = 0 : i64, dnn.engine = "cpu"} : (tensor<4xf16>)
func.func @inside(%x: tensor<4xf64>, %h: tensor<4xf16>, %c0: index, %c1: index, %c9: index) -> (tensor<4xf64>, tensor<4xf16>) {
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> (tensor<4xf64>) {
    %n = "dnn.relu"(%s) : (tensor<4xf64>) -> tensor<4xf64>
    scf.yield %n : tensor<4xf64>
  }
  %t = "dnn.softmax"(%h) {axis = 0 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  func.return %r, %t : tensor<4xf64>, tensor<4xf16>
}

// A convolution of a width that is not known is computed for any size; one of a batch or height that is not known has
// the code of one width.
// CHECK-LABEL: func.func @widths(
// CHECK-NEXT:    %a = "dnn.conv"(%x, %w) {any_size, dnn.engine = "onednn"} : (tensor<1x8x9x?xf32>
// CHECK-NEXT:    %b = "dnn.conv"(%y, %w) {dnn.engine = "onednn"} : (tensor<?x8x?x9xf32>
// CHECK-NEXT:    %c = "dnn.conv"(%z, %w) {channels_last = true, any_size, dnn.engine = "onednn"} : (tensor<1x9x?x8xf32>
// CHECK-NEXT:    %d = "dnn.conv"(%v, %w) {any_size, dnn.engine = "onednn"} : (tensor<1x8x?x?xf32>
func.func @widths(
    %x: tensor<1x8x9x?xf32>, %y: tensor<?x8x?x9xf32>, %z: tensor<1x9x?x8xf32>, %v: tensor<1x8x?x?xf32>,
    %w: tensor<16x8x1x1xf32>)
    -> (tensor<1x16x9x?xf32>, tensor<?x16x?x9xf32>, tensor<1x9x?x16xf32>, tensor<1x16x?x?xf32>) {
  %a = "dnn.conv"(%x, %w) : (tensor<1x8x9x?xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x9x?xf32>
  %b = "dnn.conv"(%y, %w) : (tensor<?x8x?x9xf32>, tensor<16x8x1x1xf32>) -> tensor<?x16x?x9xf32>
  %c = "dnn.conv"(%z, %w) {channels_last = true} : (tensor<1x9x?x8xf32>, tensor<16x8x1x1xf32>) -> tensor<1x9x?x16xf32>
  %d = "dnn.conv"(%v, %w) : (tensor<1x8x?x?xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x?x?xf32>
  func.return %a, %b, %c, %d : tensor<1x16x9x?xf32>, tensor<?x16x?x9xf32>, tensor<1x9x?x16xf32>, tensor<1x16x?x?xf32>
}

// A window of several rows leaves code for each width, so there is nothing to gain for the others; one over few
// channels does not.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %a = "dnn.conv"(%x, %w) {channels_last = true, dnn.engine = "onednn"}
// CHECK-NEXT:    %b = "dnn.conv"(%x, %v) {channels_last = true, dnn.engine = "onednn"}
func.func @rows(%x: tensor<1x9x?x8xf32>, %w: tensor<16x8x1x1xf32>, %v: tensor<16x8x3x1xf32>)
    -> (tensor<1x9x?x16xf32>, tensor<1x7x?x16xf32>) {
  %a = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<1x9x?x8xf32>, tensor<16x8x1x1xf32>) -> tensor<1x9x?x16xf32>
  %b = "dnn.conv"(%x, %v) {channels_last = true} : (tensor<1x9x?x8xf32>, tensor<16x8x3x1xf32>) -> tensor<1x7x?x16xf32>
  func.return %a, %b : tensor<1x9x?x16xf32>, tensor<1x7x?x16xf32>
}

// With its channels second it is computed by the runtime's kernel, which leaves no code.
// CHECK-LABEL: func.func @native_rows(
// CHECK-NEXT:    %a = "dnn.conv"(%x, %w) {any_size, dnn.engine = "onednn"}
// CHECK-NEXT:    %b = "dnn.conv"(%x, %v) {any_size, dnn.engine = "native"}
func.func @native_rows(%x: tensor<1x8x9x?xf32>, %w: tensor<16x8x1x1xf32>, %v: tensor<16x8x3x1xf32>)
    -> (tensor<1x16x9x?xf32>, tensor<1x16x7x?xf32>) {
  %a = "dnn.conv"(%x, %w) : (tensor<1x8x9x?xf32>, tensor<16x8x1x1xf32>) -> tensor<1x16x9x?xf32>
  %b = "dnn.conv"(%x, %v) : (tensor<1x8x9x?xf32>, tensor<16x8x3x1xf32>) -> tensor<1x16x7x?xf32>
  func.return %a, %b : tensor<1x16x9x?xf32>, tensor<1x16x7x?xf32>
}

// oneDNN does not compute f64.
// CHECK-LABEL: func.func @f64(
// CHECK-NEXT:    "dnn.softmax"(%x) {axis = 1 : i64, dnn.engine = "native"}
func.func @f64(%x: tensor<5x3xf64>) -> tensor<5x3xf64> {
  %y = "dnn.softmax"(%x) {axis = 1 : i64} : (tensor<5x3xf64>) -> tensor<5x3xf64>
  func.return %y : tensor<5x3xf64>
}

// CHECK-LABEL: func.func @few_channels(
// CHECK-NEXT:    %a = "dnn.conv"(%x, %w) {any_size, dnn.engine = "onednn"}
func.func @few_channels(%x: tensor<1x3x9x?xf32>, %w: tensor<16x3x3x1xf32>) -> tensor<1x16x7x?xf32> {
  %a = "dnn.conv"(%x, %w) : (tensor<1x3x9x?xf32>, tensor<16x3x3x1xf32>) -> tensor<1x16x7x?xf32>
  func.return %a : tensor<1x16x7x?xf32>
}

// Products of batches have a kernel that knows no size, unless one of them is constant.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT:    %a = "dnn.matmul"(%q, %k) {transB = 1 : i64, dnn.engine = "native"}
// CHECK-NEXT:    %b = "dnn.matmul"(%a, %q) {dnn.engine = "native"}
// CHECK:         %c = "dnn.matmul"(%q, %w) {dnn.engine = "onednn"}
func.func @heads(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>) -> (tensor<2x?x4xf32>, tensor<2x?x3xf32>) {
  %a = "dnn.matmul"(%q, %k) {transB = 1 : i64} : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x?xf32>
  %b = "dnn.matmul"(%a, %q) : (tensor<2x?x?xf32>, tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %w = "dnn.constant"() {value = dense<1.0> : tensor<2x4x3xf32>} : () -> tensor<2x4x3xf32>
  %c = "dnn.matmul"(%q, %w) : (tensor<2x?x4xf32>, tensor<2x4x3xf32>) -> tensor<2x?x3xf32>
  func.return %b, %c : tensor<2x?x4xf32>, tensor<2x?x3xf32>
}
