// A prepared GRU runs on oneDNN; its weights are packed, its scratch lies where it was planned. Any other is a kernel.

// RUN: opt-tool --lower-to-onednn-pass %s | filecheck %s

// CHECK-LABEL: func.func @prepared
// CHECK:         [[PX:%[0-9]+]] = onednn.pack %wx : memref<4x9xf32> -> !onednn.packed<4x9xf32>
// CHECK-NEXT:    [[PH:%[0-9]+]] = onednn.pack %wh : memref<3x3x3xf32> -> !onednn.packed<3x3x3xf32>
// CHECK-NEXT:    [[S:%[0-9]+]] = onednn.view %arena {offset = 64 : i64} : memref<128xi8> -> memref<64xi8>
// CHECK-NEXT:    onednn.gru ins(%x, [[PX]], [[PH]], %b, %o : memref<5x4xf32>, !onednn.packed<4x9xf32>, !onednn.packed<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>) outs(%y : memref<5x3xf32>) scratch([[S]] : memref<64xi8>) {reverse = [true], onednn.op = "y"}
func.func @prepared(%x: tensor<5x4xf32>, %o: tensor<3xi64>) -> tensor<5x3xf32> attributes {dnn.arena_bytes = 128 : i64} {
  %wx = "dnn.constant"() {value = dense<1.0> : tensor<4x9xf32>} : () -> tensor<4x9xf32>
  %wh = "dnn.constant"() {value = dense<1.0> : tensor<3x3x3xf32>} : () -> tensor<3x3x3xf32>
  %b = "dnn.constant"() {value = dense<1.0> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %y = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {origin_mode = true, is_reverse = true, dnn.scratch_bytes = 64 : i64, dnn.scratch_offset = 64 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// The weights of the direction whose columns come first stand first.
// CHECK-LABEL: func.func @reverse_first
// CHECK:         onednn.gru ins(%x, [[PV:%[0-9]+]], [[PH:%[0-9]+]], %c, [[PW:%[0-9]+]], [[PH]], %b, %o : {{.*}}) outs(%y : memref<5x6xf32>) {reverse = [true, false], mode = "concat", onednn.op = "y"}
func.func @reverse_first(%x: tensor<5x4xf32>, %o: tensor<3xi64>) -> tensor<5x6xf32> {
  %wx = "dnn.constant"() {value = dense<1.0> : tensor<4x9xf32>} : () -> tensor<4x9xf32>
  %vx = "dnn.constant"() {value = dense<2.0> : tensor<4x9xf32>} : () -> tensor<4x9xf32>
  %wh = "dnn.constant"() {value = dense<1.0> : tensor<3x3x3xf32>} : () -> tensor<3x3x3xf32>
  %b = "dnn.constant"() {value = dense<1.0> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %c = "dnn.constant"() {value = dense<2.0> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %vx, %wh, %c, %o) {mode = "concat", reverse_first = true, origin_mode = true} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<4x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// Weights of which one comes at run time are packed in each run; the other formula is not oneDNN's.
// CHECK-LABEL: func.func @given
// CHECK-NOT:     onednn.pack
// CHECK:         onednn.gru ins(%x, %wx, %wh, %b, %o : memref<5x4xf32>, memref<4x9xf32>, memref<3x3x3xf32>, memref<1x9xf32>, memref<3xi64>)
func.func @given(%x: tensor<5x4xf32>, %wx: tensor<4x9xf32>, %o: tensor<3xi64>) -> tensor<5x3xf32> {
  %wh = "dnn.constant"() {value = dense<1.0> : tensor<3x3x3xf32>} : () -> tensor<3x3x3xf32>
  %b = "dnn.constant"() {value = dense<1.0> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %y = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @other_formula
// CHECK:         onednn.call "dnn.fused_gru"
func.func @other_formula(%x: tensor<5x4xf32>, %o: tensor<3xi64>) -> tensor<5x3xf32> {
  %wx = "dnn.constant"() {value = dense<1.0> : tensor<4x9xf32>} : () -> tensor<4x9xf32>
  %wh = "dnn.constant"() {value = dense<1.0> : tensor<3x3x3xf32>} : () -> tensor<3x3x3xf32>
  %b = "dnn.constant"() {value = dense<1.0> : tensor<1x9xf32>} : () -> tensor<1x9xf32>
  %y = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x4xf32>, tensor<4x9xf32>, tensor<3x3x3xf32>, tensor<1x9xf32>, tensor<3xi64>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}
