// What the pass leaves alone.

// RUN: opt-tool --layout-pass %s --remarks 2>&1 | filecheck %s
// CHECK: remark: {{.*}}layout-pass changed nothing

// The transposes would take longer than the convolution gains.

// CHECK-LABEL: @small
// CHECK-NEXT: "dnn.conv"(%x, %w) :
func.func @small(%x: tensor<2x4x9x9xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<2x4x9x9xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<2x4x9x9xf32>, tensor<4x4x1x1xf32>) -> tensor<2x4x9x9xf32>
  func.return %y : tensor<2x4x9x9xf32>
}

// A region has more than one block.

// CHECK-LABEL: @blocks
// CHECK-NEXT: "dnn.conv"(%x, %w) :
func.func @blocks(%x: tensor<2x64x9x9xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32>
  cf.br ^end
^end:
  func.return %y : tensor<2x64x7x7xf32>
}

// The runtime has a kernel of few outputs that reads rows where they are; not one of more outputs.

// CHECK-LABEL: @few_outputs
// CHECK-NEXT: "dnn.conv"(%x, %w) {group = 2 : i64} :
func.func @few_outputs(%x: tensor<1x64x?x96xf32>, %w: tensor<10x32x5x1xf32>) -> tensor<1x10x?x96xf32> {
  %y = "dnn.conv"(%x, %w) {group = 2 : i64} : (tensor<1x64x?x96xf32>, tensor<10x32x5x1xf32>) -> tensor<1x10x?x96xf32>
  func.return %y : tensor<1x10x?x96xf32>
}

// oneDNN does not compute it.

// CHECK-LABEL: @f64
// CHECK-NEXT: "dnn.conv"(%x, %w) :
func.func @f64(%x: tensor<2x64x9x9xf64>, %w: tensor<64x64x3x3xf64>) -> tensor<2x64x7x7xf64> {
  %y = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf64>, tensor<64x64x3x3xf64>) -> tensor<2x64x7x7xf64>
  func.return %y : tensor<2x64x7x7xf64>
}

// CHECK-LABEL: @cpu
// CHECK-NEXT: "dnn.conv"(%x, %w) {dnn.engine = "cpu"} :
func.func @cpu(%x: tensor<2x64x9x9xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32> {
  %y = "dnn.conv"(%x, %w) {dnn.engine = "cpu"} : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32>
  func.return %y : tensor<2x64x7x7xf32>
}

// It is so already; and what is decided stays.

// CHECK-LABEL: @last
// CHECK-NEXT: "dnn.conv"(%x, %w) {channels_last = true} :
// CHECK-NEXT: "dnn.conv"(%x, %w) {{[{]}}{{.*}}dnn.offset
func.func @last(%x: tensor<2x64x64x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x62x62x64xf32> {
  %y = "dnn.conv"(%x, %w) {channels_last = true} : (tensor<2x64x64x64xf32>, tensor<64x64x3x3xf32>) -> tensor<2x62x62x64xf32>
  %z = "dnn.conv"(%x, %w) {dnn.offset = array<i64: 0>} : (tensor<2x64x64x64xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x62x62xf32>
  func.return %y : tensor<2x62x62x64xf32>
}

// One matrix of weights serves all rows, which are one tall matrix where they are dense.

// CHECK-LABEL: @weights
// CHECK-NEXT: "dnn.transpose"(%x)
// CHECK-NEXT: "dnn.matmul"({{.*}}) :
// CHECK-NEXT: "dnn.transpose"
func.func @weights(%x: tensor<2x6x5xf32>, %w: tensor<6x3xf32>) -> tensor<2x3x5xf32> {
  %t = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x6x5xf32>) -> tensor<2x5x6xf32>
  %m = "dnn.matmul"(%t, %w) : (tensor<2x5x6xf32>, tensor<6x3xf32>) -> tensor<2x5x3xf32>
  %y = "dnn.transpose"(%m) {perm = array<i64: 0, 2, 1>} : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
  func.return %y : tensor<2x3x5xf32>
}

// Another op reads the transpose, or the product; a product of f64; neither rows nor columns would be dense.

// CHECK-LABEL: @others
// CHECK-NEXT: "dnn.transpose"(%a)
// CHECK-NEXT: "dnn.relu"
// CHECK-NEXT: "dnn.matmul"({{.*}}) :
// CHECK-NEXT: "dnn.transpose"
// CHECK-NEXT: "dnn.transpose"(%d)
// CHECK-NEXT: "dnn.matmul"({{.*}}) :
// CHECK-NEXT: "dnn.transpose"(%e)
// CHECK-NEXT: "dnn.matmul"({{.*}}) :
func.func @others(%a: tensor<3x2x4xf32>, %b: tensor<2x4x5xf32>, %d: tensor<3x2x4xf64>, %f: tensor<2x4x5xf64>, %e: tensor<4x3x2x2xf32>, %g: tensor<2x3x2x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x5xf32>, tensor<3x2x5xf32>, tensor<2x3x5xf64>, tensor<2x3x4x4xf32>) {
  %t = "dnn.transpose"(%a) {perm = array<i64: 1, 0, 2>} : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %r = "dnn.relu"(%t) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %m = "dnn.matmul"(%t, %b) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %u = "dnn.transpose"(%m) {perm = array<i64: 1, 0, 2>} : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  %v = "dnn.transpose"(%d) {perm = array<i64: 1, 0, 2>} : (tensor<3x2x4xf64>) -> tensor<2x3x4xf64>
  %n = "dnn.matmul"(%v, %f) : (tensor<2x3x4xf64>, tensor<2x4x5xf64>) -> tensor<2x3x5xf64>
  %w = "dnn.transpose"(%e) {perm = array<i64: 3, 1, 0, 2>} : (tensor<4x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  %o = "dnn.matmul"(%w, %g) : (tensor<2x3x4x2xf32>, tensor<2x3x2x4xf32>) -> tensor<2x3x4x4xf32>
  func.return %r, %m, %u, %n, %o : tensor<2x3x4xf32>, tensor<2x3x5xf32>, tensor<3x2x5xf32>, tensor<2x3x5xf64>, tensor<2x3x4x4xf32>
}

// Channels are last where no axis behind them has more than one element, and a softmax along another axis is left.

// CHECK-LABEL: @trailing_ones
// CHECK-NEXT: "dnn.softmax"(%x) {axis = 1 : i64}
// CHECK-NEXT: "dnn.softmax"({{.*}}) {axis = 0 : i64}
func.func @trailing_ones(%x: tensor<4x16x1x1xf32>) -> tensor<4x16x1x1xf32> {
  %a = "dnn.softmax"(%x) {axis = 1 : i64} : (tensor<4x16x1x1xf32>) -> tensor<4x16x1x1xf32>
  %y = "dnn.softmax"(%a) {axis = 0 : i64} : (tensor<4x16x1x1xf32>) -> tensor<4x16x1x1xf32>
  func.return %y : tensor<4x16x1x1xf32>
}
