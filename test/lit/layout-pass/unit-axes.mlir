// Views that drop axes of one element go behind what reads a convolution, so that this becomes post-ops.
// RUN: opt-tool --layout-pass %s | filecheck %s
// RUN: opt-tool --layout-pass=layout=first %s | filecheck %s --check-prefix=FIRST
// RUN: opt-tool --layout-pass --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// An activation that is written as several ops reads the sum twice.
// CHECK-LABEL: @conv_along_one_axis
// CHECK: %c = "dnn.conv"(%x, %w) : (tensor<?x3x9x1xf32>, tensor<4x3x3x1xf32>) -> tensor<?x4x7x1xf32>
// CHECK-NEXT: %[[B:[a-z0-9_]+]] = "dnn.constant"{{.*}} -> tensor<4x1x1xf32>
// CHECK-NEXT: %[[S:[0-9]+]] = "dnn.add"(%c, %[[B]]) : (tensor<?x4x7x1xf32>, tensor<4x1x1xf32>) -> tensor<?x4x7x1xf32>
// CHECK-NEXT: %[[G:[0-9]+]] = "dnn.sigmoid"(%[[S]])
// CHECK-NEXT: %[[M:[0-9]+]] = "dnn.mul"(%[[S]], %[[G]])
// CHECK-NEXT: %[[P:[0-9]+]] = "dnn.global_max_pool"(%[[M]]) : (tensor<?x4x7x1xf32>) -> tensor<?x4x1x1xf32>
// CHECK-NEXT: %p = "dnn.squeeze"(%[[P]]) {axes = array<i64: 3>} : (tensor<?x4x1x1xf32>) -> tensor<?x4x1xf32>
// CHECK-NEXT: return %p
// FIRST-LABEL: @conv_along_one_axis
// FIRST: "dnn.squeeze"{{.*}} -> tensor<?x4x7xf32>
// FIRST: "dnn.add"
// REMARK: remark: dnn.squeeze{{.*}}: behind dnn.add{{.*}}: axes of one element are dropped later
func.func @conv_along_one_axis(%x: tensor<?x3x9x1xf32>, %w: tensor<4x3x3x1xf32>) -> tensor<?x4x1xf32> {
  %b = "dnn.constant"() {value = dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>} : () -> tensor<4x1xf32>
  %c = "dnn.conv"(%x, %w) : (tensor<?x3x9x1xf32>, tensor<4x3x3x1xf32>) -> tensor<?x4x7x1xf32>
  %v = "dnn.squeeze"(%c) {axes = array<i64: 3>} : (tensor<?x4x7x1xf32>) -> tensor<?x4x7xf32>
  %s = "dnn.add"(%v, %b) : (tensor<?x4x7xf32>, tensor<4x1xf32>) -> tensor<?x4x7xf32>
  %g = "dnn.sigmoid"(%s) : (tensor<?x4x7xf32>) -> tensor<?x4x7xf32>
  %m = "dnn.mul"(%s, %g) : (tensor<?x4x7xf32>, tensor<?x4x7xf32>) -> tensor<?x4x7xf32>
  %p = "dnn.global_max_pool"(%m) : (tensor<?x4x7xf32>) -> tensor<?x4x1xf32>
  func.return %p : tensor<?x4x1xf32>
}

// What is added is no constant, so the view stays before it.
// CHECK-LABEL: @residual
// CHECK: %[[V:[a-z]+]] = "dnn.squeeze"
// CHECK: "dnn.add"(%[[V]], %{{.*}}) : (tensor<1x4x7xf32>, tensor<1x4x7xf32>)
func.func @residual(%x: tensor<1x3x9x1xf32>, %w: tensor<4x3x3x1xf32>, %r: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  %c = "dnn.conv"(%x, %w) : (tensor<1x3x9x1xf32>, tensor<4x3x3x1xf32>) -> tensor<1x4x7x1xf32>
  %v = "dnn.squeeze"(%c) {axes = array<i64: 3>} : (tensor<1x4x7x1xf32>) -> tensor<1x4x7xf32>
  %s = "dnn.add"(%v, %r) : (tensor<1x4x7xf32>, tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  func.return %s : tensor<1x4x7xf32>
}

// The axis that goes is not spatial: a pool of three axes takes other channels.
// CHECK-LABEL: @other_channels
// CHECK: %[[V:[a-z]+]] = "dnn.squeeze"
// CHECK: "dnn.global_max_pool"(%[[V]])
func.func @other_channels(%x: tensor<2x3x9x5xf32>, %w: tensor<1x3x3x3xf32>) -> tensor<2x7x1xf32> {
  %c = "dnn.conv"(%x, %w) : (tensor<2x3x9x5xf32>, tensor<1x3x3x3xf32>) -> tensor<2x1x7x3xf32>
  %v = "dnn.squeeze"(%c) {axes = array<i64: 1>} : (tensor<2x1x7x3xf32>) -> tensor<2x7x3xf32>
  %p = "dnn.global_max_pool"(%v) : (tensor<2x7x3xf32>) -> tensor<2x7x1xf32>
  func.return %p : tensor<2x7x1xf32>
}

// A view that adds axes is behind the transpose that reads it, which the convolution then does without.
// CHECK-LABEL: @frames
// CHECK-NOT: "dnn.transpose"(%c
// CHECK: "dnn.conv"{{.*}}channels_last = true{{.*}} -> tensor<1x61x64xf32>
// CHECK-NEXT: %[[T:.*]] = "dnn.unsqueeze"(%{{.*}}) {axes = array<i64: 1>} : (tensor<1x61x64xf32>) -> tensor<1x1x61x64xf32>
// CHECK-NEXT: return %[[T]]
func.func @frames(%x: tensor<1x1x1000xf32>, %w: tensor<64x1x40xf32>) -> tensor<1x1x61x64xf32> {
  %c = "dnn.conv"(%x, %w) {strides = array<i64: 16>} : (tensor<1x1x1000xf32>, tensor<64x1x40xf32>) -> tensor<1x64x61xf32>
  %u = "dnn.unsqueeze"(%c) {axes = array<i64: 1>} : (tensor<1x64x61xf32>) -> tensor<1x1x64x61xf32>
  %t = "dnn.transpose"(%u) {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x1x64x61xf32>) -> tensor<1x1x61x64xf32>
  func.return %t : tensor<1x1x61x64xf32>
}

// The added axis goes elsewhere in the transpose.
// CHECK-LABEL: @added_axis_moves
// CHECK: %[[T:.*]] = "dnn.transpose"(%{{.*}}) {perm = array<i64: 0, 2, 1>} : (tensor<1x64x61xf32>) -> tensor<1x61x64xf32>
// CHECK-NEXT: "dnn.unsqueeze"(%[[T]]) {axes = array<i64: 2>} : (tensor<1x61x64xf32>) -> tensor<1x61x1x64xf32>
func.func @added_axis_moves(%x: tensor<1x4x61xf32>, %w: tensor<64x4xf32>) -> tensor<1x61x1x64xf32> {
  %c = "dnn.matmul"(%w, %x) {post_ops = [{op = "dnn.relu"}]} : (tensor<64x4xf32>, tensor<1x4x61xf32>) -> tensor<1x64x61xf32>
  %u = "dnn.unsqueeze"(%c) {axes = array<i64: 1>} : (tensor<1x64x61xf32>) -> tensor<1x1x64x61xf32>
  %t = "dnn.transpose"(%u) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x1x64x61xf32>) -> tensor<1x61x1x64xf32>
  func.return %t : tensor<1x61x1x64xf32>
}
