// Values whose elements depend on one byte each: a table of 256 results in the place of the ops between.

// RUN: opt-tool --quantized-ops-pass %s | filecheck %s
// RUN: opt-tool --quantized-ops-pass --remarks %s -o %t 2>&1 | filecheck %s --check-prefix=REMARK
// REMARK: tables.mlir:[[# @LINE + 17]]:8: remark: dnn.quantize_linear (y): its results for all bytes are a table

// x * sigmoid(x) is of x alone, also where sigmoid(x) is quantised on the way.

// CHECK-LABEL: @swish
// CHECK: %[[T:.*]] = "dnn.constant"() {value = dense<{{.*}}> : tensor<256xui8>}
// CHECK: %y = "dnn.byte_table"(%x, %[[T]]) : (tensor<4x3xui8>, tensor<256xui8>) -> tensor<4x3xui8>
// CHECK-NEXT: func.return %y
func.func @swish(%x: tensor<4x3xui8>) -> tensor<4x3xui8> {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %e = "dnn.constant"() {value = dense<0.00390625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %g = "dnn.sigmoid"(%a) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %q = "dnn.quantize_linear"(%g, %e) : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xui8>
  %d = "dnn.dequantize_linear"(%q, %e) : (tensor<4x3xui8>, tensor<f32>) -> tensor<4x3xf32>
  %p = "dnn.mul"(%a, %d) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// The table itself: 2 * (x - 1) in steps of 1, from the smallest byte on.

// CHECK-LABEL: @doubled
// CHECK: dense<"0x8080{{.*}}FCFE000204{{.*}}7F7F"> : tensor<256xi8>
func.func @doubled(%x: tensor<3xi8>) -> tensor<3xi8> {
  %s = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %o = "dnn.constant"() {value = dense<1> : tensor<i8>} : () -> tensor<i8>
  %z = "dnn.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<i8>
  %two = "dnn.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = "dnn.dequantize_linear"(%x, %s, %o) : (tensor<3xi8>, tensor<f32>, tensor<i8>) -> tensor<3xf32>
  %p = "dnn.mul"(%a, %two) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// Twice the number in twice the step is the same byte.

// CHECK-LABEL: @same
// CHECK-NEXT: func.return %x
func.func @same(%x: tensor<3xi8>) -> tensor<3xi8> {
  %s = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<0> : tensor<i8>} : () -> tensor<i8>
  %two = "dnn.constant"() {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<3xi8>, tensor<f32>, tensor<i8>) -> tensor<3xf32>
  %p = "dnn.mul"(%a, %two) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %y = "dnn.quantize_linear"(%p, %two, %z) : (tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}

// Parts of a concat with other scales get the scale of the whole by a table; rows of a constant are taken in bytes.

// CHECK-LABEL: @parts
// CHECK: %[[B:.*]] = "dnn.byte_table"(%b, %{{.*}}) : (tensor<2xui8>, tensor<256xui8>) -> tensor<2xui8>
// CHECK: "dnn.concat"(%a, %[[B]]) {{.*}} -> tensor<5xui8>
func.func @parts(%a: tensor<3xui8>, %b: tensor<2xui8>) -> tensor<5xui8> {
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %t = "dnn.constant"() {value = dense<0.25> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<3> : tensor<ui8>} : () -> tensor<ui8>
  %c = "dnn.dequantize_linear"(%a, %s, %z) : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %d = "dnn.dequantize_linear"(%b, %t, %z) : (tensor<2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2xf32>
  %p = "dnn.concat"(%c, %d) {axis = 0 : i64} : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<5xf32>, tensor<f32>, tensor<ui8>) -> tensor<5xui8>
  func.return %y : tensor<5xui8>
}

// CHECK-LABEL: @rows
// CHECK-NOT: tensor<256xui8>
// CHECK: "dnn.constant"() {value = dense<{{\[\[}}129, 126, 131], [132, 133, 122]]>
// CHECK: "dnn.gather"(%{{.*}}, %i) {{.*}} : (tensor<2x3xui8>, tensor<4xi64>) -> tensor<4x3xui8>
// CHECK-NOT: quantize_linear
func.func @rows(%i: tensor<4xi64>) -> tensor<4x3xui8> {
  %w = "dnn.constant"() {value = dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi8>} : () -> tensor<2x3xi8>
  %s = "dnn.constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %d = "dnn.dequantize_linear"(%w, %s) : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xf32>
  %g = "dnn.gather"(%d, %i) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  %y = "dnn.quantize_linear"(%g, %s, %z) : (tensor<4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3xui8>
  func.return %y : tensor<4x3xui8>
}

// Two bytes decide a product: no table.

// CHECK-LABEL: @two_bytes
// CHECK: "dnn.mul"
// CHECK-NOT: byte_table
func.func @two_bytes(%x: tensor<3xui8>, %w: tensor<3xui8>) -> tensor<3xui8> {
  %s = "dnn.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<0> : tensor<ui8>} : () -> tensor<ui8>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %b = "dnn.dequantize_linear"(%w, %s, %z) : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %p = "dnn.mul"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = "dnn.quantize_linear"(%p, %s, %z) : (tensor<3xf32>, tensor<f32>, tensor<ui8>) -> tensor<3xui8>
  func.return %y : tensor<3xui8>
}

// What differs from channel to channel by constants, also of values that are computed from constants: a table for each.

// CHECK-LABEL: @channels
// CHECK: %[[C:.*]] = "dnn.constant"() {value = dense_resource<{{.*}}> : tensor<2x256xui8>}
// CHECK: "dnn.byte_table"(%x, %[[C]]) {axis = 1 : i64} : (tensor<4x2x30xui8>, tensor<2x256xui8>) -> tensor<4x2x30xui8>
// CHECK-NEXT: func.return
func.func @channels(%x: tensor<4x2x30xui8>) -> tensor<4x2x30xui8> {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %w = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %v = "dnn.constant"() {value = dense<[0.5, 4.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "dnn.constant"() {value = dense<[[[3.0], [-1.0]]]> : tensor<1x2x1xf32>} : () -> tensor<1x2x1xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2x30xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2x30xf32>
  %q = "dnn.quantize_linear"(%w, %s, %z) : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  %d = "dnn.dequantize_linear"(%q, %s, %z) : (tensor<2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2xf32>
  %n = "dnn.batch_norm"(%a, %d, %w, %w, %v) : (tensor<4x2x30xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2x30xf32>
  %m = "dnn.mul"(%n, %c) : (tensor<4x2x30xf32>, tensor<1x2x1xf32>) -> tensor<4x2x30xf32>
  %h = "dnn.hard_swish"(%m) : (tensor<4x2x30xf32>) -> tensor<4x2x30xf32>
  %y = "dnn.quantize_linear"(%h, %s, %z) : (tensor<4x2x30xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2x30xui8>
  func.return %y : tensor<4x2x30xui8>
}

// Constants along two axes, or along the axis of the channels of a batch_norm and another one: no table.

// CHECK-LABEL: @axes
// CHECK: "dnn.mul"
// CHECK-NOT: byte_table
func.func @axes(%x: tensor<4x2x30xui8>) -> tensor<4x2x30xui8> {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %w = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %c = "dnn.constant"() {value = dense<2.0> : tensor<30xf32>} : () -> tensor<30xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x2x30xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2x30xf32>
  %n = "dnn.batch_norm"(%a, %w, %w, %w, %w) : (tensor<4x2x30xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2x30xf32>
  %m = "dnn.mul"(%n, %c) : (tensor<4x2x30xf32>, tensor<30xf32>) -> tensor<4x2x30xf32>
  %y = "dnn.quantize_linear"(%m, %s, %z) : (tensor<4x2x30xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2x30xui8>
  func.return %y : tensor<4x2x30xui8>
}

// A row that makes the value larger than the bytes: no table.

// CHECK-LABEL: @wider
// CHECK: "dnn.mul"
// CHECK-NOT: byte_table
func.func @wider(%x: tensor<4x1x50xui8>) -> tensor<4x3x50xui8> {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %c = "dnn.constant"() {value = dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>} : () -> tensor<3x1xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<4x1x50xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x1x50xf32>
  %m = "dnn.mul"(%a, %c) : (tensor<4x1x50xf32>, tensor<3x1xf32>) -> tensor<4x3x50xf32>
  %y = "dnn.quantize_linear"(%m, %s, %z) : (tensor<4x3x50xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x3x50xui8>
  func.return %y : tensor<4x3x50xui8>
}

// Few elements of each channel, and channels that are last: reading tables takes longer.

// CHECK-LABEL: @few
// CHECK: "dnn.mul"
// CHECK: "dnn.mul"
// CHECK-NOT: byte_table
func.func @few(%x: tensor<3x2x21xui8>, %v: tensor<300x2xui8>) -> (tensor<3x2x21xui8>, tensor<300x2xui8>) {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %c = "dnn.constant"() {value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>} : () -> tensor<2x1xf32>
  %d = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %a = "dnn.dequantize_linear"(%x, %s, %z) : (tensor<3x2x21xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x2x21xf32>
  %m = "dnn.mul"(%a, %c) : (tensor<3x2x21xf32>, tensor<2x1xf32>) -> tensor<3x2x21xf32>
  %y = "dnn.quantize_linear"(%m, %s, %z) : (tensor<3x2x21xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x2x21xui8>
  %b = "dnn.dequantize_linear"(%v, %s, %z) : (tensor<300x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<300x2xf32>
  %n = "dnn.mul"(%b, %d) : (tensor<300x2xf32>, tensor<2xf32>) -> tensor<300x2xf32>
  %w = "dnn.quantize_linear"(%n, %s, %z) : (tensor<300x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<300x2xui8>
  func.return %y, %w : tensor<3x2x21xui8>, tensor<300x2xui8>
}

// What is quantised behind such a row is a function of these bytes.

// CHECK-LABEL: @behind_row
// CHECK: %q = "dnn.quantize_linear"
// CHECK: %y = "dnn.byte_table"(%q, %{{.*}}) : (tensor<300x2xui8>, tensor<256xui8>) -> tensor<300x2xui8>
func.func @behind_row(%v: tensor<300x2xui8>) -> tensor<300x2xui8> {
  %s = "dnn.constant"() {value = dense<0.0625> : tensor<f32>} : () -> tensor<f32>
  %z = "dnn.constant"() {value = dense<128> : tensor<ui8>} : () -> tensor<ui8>
  %d = "dnn.constant"() {value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "dnn.dequantize_linear"(%v, %s, %z) : (tensor<300x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<300x2xf32>
  %n = "dnn.mul"(%b, %d) : (tensor<300x2xf32>, tensor<2xf32>) -> tensor<300x2xf32>
  %q = "dnn.quantize_linear"(%n, %s, %z) : (tensor<300x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<300x2xui8>
  %e = "dnn.dequantize_linear"(%q, %s, %z) : (tensor<300x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<300x2xf32>
  %g = "dnn.gelu"(%e) : (tensor<300x2xf32>) -> tensor<300x2xf32>
  %y = "dnn.quantize_linear"(%g, %s, %z) : (tensor<300x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<300x2xui8>
  func.return %y : tensor<300x2xui8>
}
