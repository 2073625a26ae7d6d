// Convolutions, and ops between them, have their channels last; what others see is as it was.

// RUN: opt-tool --turn-channels-pass %s | filecheck %s
// RUN: opt-tool --turn-channels-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: rewrites.mlir:[[# @LINE + 15]]:8: remark: dnn.conv (c): computed with its channels last in memory

// A batch normalisation in training between two convolutions; running statistics have no channels to turn. The bias of
// one number a channel is read under other sizes.

// CHECK-LABEL: @chain
// CHECK-NEXT: %[[X:[0-9]+]] = "dnn.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x8x9x9xf32>) -> tensor<2x9x9x8xf32>
// CHECK-NEXT: %c = "dnn.conv"(%[[X]], %w) {pads = array<i64: 1, 1, 1, 1>, channels_last = true} : (tensor<2x9x9x8xf32>, tensor<16x8x3x3xf32>) -> tensor<2x9x9x16xf32>
// CHECK-NEXT: %n, %m1, %v1 = "dnn.batch_norm"(%c, %s, %b, %m, %v) {training_mode = true, channels_last = true}
// CHECK-NEXT: %[[K:[0-9]+]] = "dnn.reshape"(%k) {shape = array<i64: 1, 1, 1, 16>} : (tensor<16x1x1xf32>) -> tensor<1x1x1x16xf32>
// CHECK-NEXT: %a = "dnn.add"(%n, %[[K]]) : (tensor<2x9x9x16xf32>, tensor<1x1x1x16xf32>) -> tensor<2x9x9x16xf32>
// CHECK-NEXT: %[[D:[0-9]+]] = "dnn.conv"(%a, %u) {channels_last = true} : (tensor<2x9x9x16xf32>, tensor<16x16x3x3xf32>) -> tensor<2x7x7x16xf32>
// CHECK-NEXT: %d = "dnn.transpose"(%[[D]]) {perm = array<i64: 0, 3, 1, 2>} : (tensor<2x7x7x16xf32>) -> tensor<2x16x7x7xf32>
// CHECK-NEXT: func.return %d, %m1, %v1
func.func @chain(%x: tensor<2x8x9x9xf32>, %w: tensor<16x8x3x3xf32>, %u: tensor<16x16x3x3xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>, %k: tensor<16x1x1xf32>) -> (tensor<2x16x7x7xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c = "dnn.conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x8x9x9xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x9x9xf32>
  %n, %m1, %v1 = "dnn.batch_norm"(%c, %s, %b, %m, %v) {training_mode = true} : (tensor<2x16x9x9xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x9x9xf32>, tensor<16xf32>, tensor<16xf32>)
  %a = "dnn.add"(%n, %k) : (tensor<2x16x9x9xf32>, tensor<16x1x1xf32>) -> tensor<2x16x9x9xf32>
  %d = "dnn.conv"(%a, %u) : (tensor<2x16x9x9xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x7x7xf32>
  func.return %d, %m1, %v1 : tensor<2x16x7x7xf32>, tensor<16xf32>, tensor<16xf32>
}

// One channel, and one place: no element is moved. The gradient has its channels last too.

// CHECK-LABEL: @one
// CHECK-NEXT: "dnn.reshape"(%x) {shape = array<i64: 4, 8, 8, 1>} : (tensor<4x1x8x8xf32>) -> tensor<4x8x8x1xf32>
// CHECK-NEXT: "dnn.conv"({{.*}}) {channels_last = true}
// CHECK-NEXT: "dnn.global_average_pool"({{.*}}) {channels_last = true} : (tensor<4x6x6x16xf32>) -> tensor<4x1x1x16xf32>
// CHECK-NEXT: %y = "dnn.reshape"({{.*}}) {shape = array<i64: 4, 16, 1, 1>}
func.func @one(%x: tensor<4x1x8x8xf32>, %w: tensor<16x1x3x3xf32> {dnn.trainable}) -> (tensor<4x16x1x1xf32>) {
  %c = "dnn.conv"(%x, %w) : (tensor<4x1x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<4x16x6x6xf32>
  %y = "dnn.global_average_pool"(%c) : (tensor<4x16x6x6xf32>) -> tensor<4x16x1x1xf32>
  func.return %y : tensor<4x16x1x1xf32>
}
