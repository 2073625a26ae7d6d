// A transpose of tokens and channels is where the tokens are spatial axes, if a convolution reads or makes these.
// RUN: opt-tool --layout-pass %s | filecheck %s
// RUN: opt-tool --layout-pass=layout=first %s | filecheck %s --check-prefix=FIRST
// RUN: opt-tool --layout-pass --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// REMARK: remark: dnn.transpose{{.*}}: channels are transposed behind the view that splits spatial axes
// REMARK: remark: dnn.reshape{{.*}}: channels are transposed in front of the view that merges spatial axes

// The size of the batch may be unknown.
// CHECK-LABEL: @convolution
// CHECK-NEXT: %[[X:.*]] = "dnn.reshape"(%x) {shape = array<i64: 0, 16, 16, 32>} : (tensor<?x256x32xf32>) -> tensor<?x16x16x32xf32>
// CHECK-NEXT: %[[C:.*]] = "dnn.conv"(%[[X]], %w) {{.*}}channels_last = true{{.*}} -> tensor<?x16x16x32xf32>
// CHECK-NEXT: %y = "dnn.reshape"(%[[C]]) {shape = array<i64: 0, 256, 32>} : (tensor<?x16x16x32xf32>) -> tensor<?x256x32xf32>
// CHECK-NEXT: return %y
// FIRST-LABEL: @convolution
// FIRST-NEXT: "dnn.transpose"(%x)
func.func @convolution(%x: tensor<?x256x32xf32>, %w: tensor<32x32x3x3xf32>) -> tensor<?x256x32xf32> {
  %a = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<?x256x32xf32>) -> tensor<?x32x256xf32>
  %b = "dnn.reshape"(%a) : (tensor<?x32x256xf32>) -> tensor<?x32x16x16xf32>
  %c = "dnn.conv"(%b, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x32x16x16xf32>, tensor<32x32x3x3xf32>) -> tensor<?x32x16x16xf32>
  %d = "dnn.reshape"(%c) : (tensor<?x32x16x16xf32>) -> tensor<?x32x256xf32>
  %y = "dnn.transpose"(%d) {perm = array<i64: 0, 2, 1>} : (tensor<?x32x256xf32>) -> tensor<?x256x32xf32>
  func.return %y : tensor<?x256x32xf32>
}

// No convolution reads the spatial axes; a view that splits channels too; one that is read twice.
// CHECK-LABEL: @stay
// CHECK: %a = "dnn.transpose"(%x)
// CHECK: %b = "dnn.reshape"(%a)
// CHECK: %e = "dnn.transpose"(%d)
// CHECK-NEXT: %f = "dnn.reshape"(%e)
func.func @stay(%x: tensor<1x36x8xf32>, %w: tensor<4x4x3x3xf32>, %d: tensor<1x18x8xf32>) -> (tensor<1x8x6x6xf32>, tensor<2x4x4x7xf32>) {
  %a = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<1x36x8xf32>) -> tensor<1x8x36xf32>
  %b = "dnn.reshape"(%a) : (tensor<1x8x36xf32>) -> tensor<1x8x6x6xf32>
  %s = "dnn.exp"(%b) : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %e = "dnn.transpose"(%d) {perm = array<i64: 0, 2, 1>} : (tensor<1x18x8xf32>) -> tensor<1x8x18xf32>
  %f = "dnn.reshape"(%e) : (tensor<1x8x18xf32>) -> tensor<2x4x6x3xf32>
  %g = "dnn.conv"(%f, %w) {pads = array<i64: 0, 3, 0, 3>} : (tensor<2x4x6x3xf32>, tensor<4x4x3x3xf32>) -> tensor<2x4x4x7xf32>
  func.return %s, %g : tensor<1x8x6x6xf32>, tensor<2x4x4x7xf32>
}
