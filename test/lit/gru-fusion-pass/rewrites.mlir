// A product goes into the GRU that reads it; two directions, and layers of them, become one op.

// RUN: opt-tool --gru-fusion-pass --verify-storage-pass %s | filecheck %s
// RUN: opt-tool --gru-fusion-pass --remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix=REMARK

// The product alone; direction, formula, bias and the states before the first step are those of the GRU.
// REMARK: rewrites.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (hidden): fused with the matmul that produces %g
// CHECK-LABEL: func.func @product(
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %wh, %b, %h0, %o) {is_reverse = true, origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>, dnn.names = ["hidden"]} :
// CHECK-NEXT:    func.return %h
func.func @product(
    %x: tensor<?x2xf32>, %wx: tensor<2x9xf32>, %wh: tensor<3x9xf32>, %b: tensor<1x9xf32>, %h0: tensor<?x3xf32>,
    %o: tensor<?xi64>) -> tensor<?x3xf32> {
  %g = "dnn.matmul"(%x, %wx) : (tensor<?x2xf32>, tensor<2x9xf32>) -> tensor<?x9xf32>
  %h = "dnn.gru"(%g, %wh, %b, %h0, %o) {is_reverse = true, origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, dnn.names = ["hidden"], dnn.inplace = array<i32: -1>} : (tensor<?x9xf32>, tensor<3x9xf32>, tensor<1x9xf32>, tensor<?x3xf32>, tensor<?xi64>) -> tensor<?x3xf32>
  func.return %h : tensor<?x3xf32>
}

// A GRU without bias; x is read elsewhere too, and so is the result.
// CHECK-LABEL: func.func @no_bias(
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} :
// CHECK-NEXT:    %y = "dnn.relu"(%x)
// CHECK-NEXT:    %z = "dnn.relu"(%h)
func.func @no_bias(%x: tensor<?x2xf64>, %wx: tensor<2x9xf64>, %wh: tensor<3x9xf64>, %o: tensor<?xi64>) -> (tensor<?x2xf64>, tensor<?x3xf64>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<?x2xf64>, tensor<2x9xf64>) -> tensor<?x9xf64>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<?x9xf64>, tensor<3x9xf64>, tensor<?xi64>) -> tensor<?x3xf64>
  %y = "dnn.relu"(%x) : (tensor<?x2xf64>) -> tensor<?x2xf64>
  %z = "dnn.relu"(%h) : (tensor<?x3xf64>) -> tensor<?x3xf64>
  func.return %y, %z : tensor<?x2xf64>, tensor<?x3xf64>
}

// The sum of two constant biases is a new constant: the old one stays for its other readers.
// CHECK-LABEL: func.func @biases(
// CHECK-NEXT:    %b = "dnn.constant"() {value = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00]]>
// CHECK-NEXT:    %[[B:.*]] = "dnn.constant"() {value = dense<{{\[\[}}1.500000e+00, 2.500000e+00, 3.500000e+00]]>
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %wh, %[[B]], %o)
// CHECK-NEXT:    func.return %h, %b
func.func @biases(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<1x3xf32>) {
  %b = "dnn.constant"() {value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %row = "dnn.constant"() {value = dense<0.5> : tensor<3xf32>} : () -> tensor<3xf32>
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %row) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %b : tensor<5x1xf32>, tensor<1x3xf32>
}

// Biases that come from elsewhere are added; a row on the left, a row that is the only bias, a gemm.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %[[ROW:.*]] = "dnn.reshape"(%row)
// CHECK-NEXT:    %[[SUM:.*]] = "dnn.add"(%b, %[[ROW]])
// CHECK-NEXT:    %h = "dnn.fused_gru"(%x, %wx, %wh, %[[SUM]], %o)
// CHECK-NEXT:    %h1 = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {activation = "relu",
func.func @rows(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %row: tensor<3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%row, %g) : (tensor<3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %g1 = "dnn.gemm"(%x, %wx, %b) : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
  %h1 = "dnn.gru"(%g1, %wh, %o) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %h1 : tensor<5x1xf32>, tensor<5x1xf32>
}

// Both directions, from the products on.
// REMARK: rewrites.mlir:[[# @LINE + 10]]:8: remark: dnn.concat (y): the directions %f and %r are fused into one op
// CHECK-LABEL: func.func @directions(
// CHECK-NEXT:    %[[ZERO:.*]] = "dnn.constant"() {value = dense<0.000000e+00> : tensor<1x3xf32>}
// CHECK-NEXT:    %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %[[ZERO]], %o) {origin_mode = true, mode = "concat"} :
// CHECK-NEXT:    func.return %y
func.func @directions(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x2xf32> {
  %p = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %f = "dnn.gru"(%p, %wh, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %q = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %r = "dnn.gru"(%q, %wh, %o) {origin_mode = true, is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = -1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// The halves in the other order; initial states of one direction alone; a sum of both.
// CHECK-LABEL: func.func @halves(
// CHECK-NEXT:    %[[H0:.*]] = "dnn.fill"(%h0) {value = 0.000000e+00 : f32}
// CHECK-NEXT:    %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %vx, %vh, %b, %[[H0]], %h0, %o) {mode = "concat", reverse_first = true} :
// CHECK-NEXT:    %z = "dnn.multi_gru"(%x, %wx, %wh, %b, %vx, %vh, %b, %o) {mode = "sum"} :
// CHECK-NEXT:    func.return
func.func @halves(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %vx: tensor<2x3xf32>, %vh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %h0: tensor<2x1xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>, tensor<5x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %vx, %vh, %b, %h0, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%r, %f) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  %f1 = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r1 = "dnn.fused_gru"(%x, %vx, %vh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %z = "dnn.add"(%r1, %f1) : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
  func.return %y, %z : tensor<5x2xf32>, tensor<5x1xf32>
}

// Layers.
// CHECK-LABEL: func.func @layers(
// CHECK-NEXT:    %z = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %wx, %wh, %b, %wx, %wh, %b, %o) {layers = 2 : i64, mode = "concat"} :
// CHECK-NEXT:    func.return %z
func.func @layers(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> tensor<5x2xf32> {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %o) {layers = 1 : i64, mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %z : tensor<5x2xf32>
}

// A sum of any number of values joins two directions, where there are two, in either order.
// REMARK: rewrites.mlir:[[# @LINE + 8]]:8: remark: dnn.sum (y): the directions %f and %r are fused into one op
// CHECK-LABEL: func.func @summed(
// CHECK-NEXT:    %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "sum"} :
// CHECK-NEXT:    %z = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "sum"} :
// CHECK-NEXT:    func.return %y, %z
func.func @summed(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.sum"(%f, %r) : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
  %g = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %q = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %z = "dnn.sum"(%q, %g) : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
  func.return %y, %z : tensor<5x1xf32>, tensor<5x1xf32>
}
