// Each direction over sequences of one length: pad, compute, take the rows out; the weights are what they were.

// RUN: opt-tool --pad-gru-pass=steps=4 --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --pad-gru-pass=steps=4 --pad-gru-pass=steps=9 %s | filecheck %s
// RUN: opt-tool --pad-gru-pass=steps=4 --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// The rows keep their number; the name and the states to start with stay.
// REMARK: rewrites.mlir:[[# @LINE + 10]]:8: remark: dnn.fused_gru (states): its sequences are padded to 4 rows
// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    %[[E:.*]] = "dnn.constant"() {value = dense<[0, 4, 8]> : tensor<3xi64>}
// CHECK-NEXT:    %[[P:.*]] = "dnn.lod_to_tnc"(%x, %o) {layout = "ntc", is_reverse = true} : (tensor<5x2xf32>, tensor<3xi64>) -> tensor<2x4x2xf32>
// CHECK-NEXT:    %[[R:.*]] = "dnn.reshape"(%[[P]]) : (tensor<2x4x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT:    %[[H:.*]] = "dnn.fused_gru"(%[[R]], %wx, %wh, %s, %[[E]]) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>, dnn.padded, activation = "relu", is_reverse = true} : {{.*}} -> tensor<8x1xf32>
// CHECK-NEXT:    %[[C:.*]] = "dnn.reshape"(%[[H]]) : (tensor<8x1xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT:    %h = "dnn.tnc_to_lod"(%[[C]], %o, %x) {layout = "ntc", is_reverse = true, dnn.names = ["states"]} : {{.*}} -> tensor<5x1xf32>
// CHECK-NEXT:    func.return %h
func.func @one(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %s: tensor<2x1xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %h = "dnn.fused_gru"(%x, %wx, %wh, %s, %o) {dnn.names = ["states"], activation = "relu", is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// Both directions, the reverse one first, then the next layer.
// CHECK-LABEL: func.func @layers(
// CHECK:         "dnn.lod_to_tnc"(%x, %o) {layout = "ntc", is_reverse = false}
// CHECK:         %[[F:.*]] = "dnn.tnc_to_lod"({{.*}}, %o, %x) {layout = "ntc", is_reverse = false}
// CHECK:         "dnn.lod_to_tnc"(%x, %o) {layout = "ntc", is_reverse = true}
// CHECK:         %[[B:.*]] = "dnn.tnc_to_lod"({{.*}}, %o, %x) {layout = "ntc", is_reverse = true}
// CHECK-NEXT:    %[[J:.*]] = "dnn.concat"(%[[B]], %[[F]]) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
// CHECK-NEXT:    "dnn.lod_to_tnc"(%[[J]], %o)
// CHECK:         %y = "dnn.concat"
// CHECK-NEXT:    func.return %y
func.func @layers(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3x1xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x2xf32> {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %wx, %wh, %b, %wx, %wh, %b, %o) {layers = 2 : i64, mode = "concat", reverse_first = true} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @sum(
// CHECK:         %y = "dnn.add"(%{{.*}}, %{{.*}}) : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
func.func @sum(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3x1xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x1xf32> {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "sum"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %y : tensor<5x1xf32>
}
