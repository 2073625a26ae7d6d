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
