// Each reason for which ops are not fused, alone.

// RUN: opt-tool --gru-fusion-pass --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK
// RUN: opt-tool --gru-fusion-pass --placement-pass %s | filecheck %s

// no-product: another op stands between.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: its gates are not a product of rows and weights alone (%r) [no-product]
// CHECK-LABEL: func.func @no_product(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %r = "dnn.relu"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @no_product(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %r = "dnn.relu"(%g) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%r, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// no-product: a gemm that does more.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.gru (h): the product before it is not fused with it: its gates are not a product of rows and weights alone (%g) [no-product]
// CHECK-LABEL: func.func @scaled_product(
// CHECK-NEXT:    %g = "dnn.gemm"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @scaled_product(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>) {
  %g = "dnn.gemm"(%x, %wx) {alpha = 2.0 : f32} : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// used-elsewhere: the product has another reader.
// REMARK: refuses.mlir:[[# @LINE + 7]]:8: remark: dnn.gru (h): the product before it is not fused with it: a value that would be gone is read elsewhere, or returned (%g) [used-elsewhere]
// CHECK-LABEL: func.func @used_elsewhere(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.relu"
func.func @used_elsewhere(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x3xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.relu"(%g) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  func.return %h, %y : tensor<5x1xf32>, tensor<5x3xf32>
}

// used-elsewhere: one product for both directions.
// REMARK: refuses.mlir:[[# @LINE + 7]]:8: remark: dnn.gru (h): the product before it is not fused with it: a value that would be gone is read elsewhere, or returned (%g) [used-elsewhere]
// CHECK-LABEL: func.func @shared_product(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.gru"{{.*}}dnn.engine
func.func @shared_product(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.gru"(%g, %wh, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %r : tensor<5x1xf32>, tensor<5x1xf32>
}

// used-elsewhere: the sum is returned.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: a value that would be gone is read elsewhere, or returned (%s) [used-elsewhere]
// CHECK-LABEL: func.func @sum_returned(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %s = "dnn.add"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @sum_returned(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %row: tensor<3xf32>) -> (tensor<5x1xf32>, tensor<5x3xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %row) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %s : tensor<5x1xf32>, tensor<5x3xf32>
}

// used-elsewhere: the product under the sum is returned.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: a value that would be gone is read elsewhere, or returned (%g) [used-elsewhere]
// CHECK-LABEL: func.func @product_returned(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %s = "dnn.add"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @product_returned(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %row: tensor<3xf32>) -> (tensor<5x1xf32>, tensor<5x3xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %row) : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h, %g : tensor<5x1xf32>, tensor<5x3xf32>
}

// bias: a matrix is added, another number for each word.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: what is added to the product is not one row (%m is tensor<5x3xf32>) [bias]
// CHECK-LABEL: func.func @bias(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %s = "dnn.add"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @bias(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %m: tensor<5x3xf32>) -> (tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %m) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// bias: one number for all gates.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: what is added to the product is not one row (%m is tensor<1xf32>) [bias]
// CHECK-LABEL: func.func @one_number(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %s = "dnn.add"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @one_number(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %m: tensor<1xf32>) -> (tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %s = "dnn.add"(%g, %m) : (tensor<5x3xf32>, tensor<1xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%s, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// activation: of a gate.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.gru (h): the product before it is not fused with it: the fused op is not used with that activation (identity) [activation]
// CHECK-LABEL: func.func @gate(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @gate(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {gate_activation = "identity", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// activation: of the candidate.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.gru (h): the product before it is not fused with it: the fused op is not used with that activation (relu) [activation]
// CHECK-LABEL: func.func @candidate(
// CHECK-NEXT:    %g = "dnn.matmul"
// CHECK-NEXT:    %h = "dnn.gru"{{.*}}dnn.engine
func.func @candidate(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>) {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %h : tensor<5x1xf32>
}

// join: one under the other.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two directions are not joined side by side or added, with nothing else (axis 0) [join]
// CHECK-LABEL: func.func @join_axis(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @join_axis(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<10x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 0 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<10x1xf32>
  func.return %y : tensor<10x1xf32>
}

// join: a third value between them.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two directions are not joined side by side or added, with nothing else (3 operands) [join]
// CHECK-LABEL: func.func @join_more(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @join_more(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %m: tensor<5x1xf32>) -> (tensor<5x3xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %m, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x3xf32>
  func.return %y : tensor<5x3xf32>
}

// different-inputs: other rows.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two directions read different rows, or cut them into different sequences (%x and %z) [different-inputs]
// CHECK-LABEL: func.func @inputs(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @inputs(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %z: tensor<5x2xf32>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%z, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// different-inputs: other sequences.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two directions read different rows, or cut them into different sequences (%o and %p) [different-inputs]
// CHECK-LABEL: func.func @offsets(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @offsets(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %p: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %p) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// direction: both forward.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two run in one direction (forward) [direction]
// CHECK-LABEL: func.func @forward(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @forward(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// direction: both reverse.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two run in one direction (reverse) [direction]
// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @reverse(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// formula: origin_mode differs.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two have different formulas or activations [formula]
// CHECK-LABEL: func.func @formula(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @formula(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {origin_mode = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// formula: an activation differs.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the two have different formulas or activations [formula]
// CHECK-LABEL: func.func @activations(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @activations(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

// used-elsewhere: a direction by itself is read too.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: a value that would be gone is read elsewhere, or returned (%r) [used-elsewhere]
// CHECK-LABEL: func.func @hidden(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @hidden(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>, tensor<5x1xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %y, %r : tensor<5x2xf32>, tensor<5x1xf32>
}

// weights: directions of different width.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: the weights are of other sizes than the fused op takes (tensor<1x3xf32> and tensor<2x6xf32>) [weights]
// CHECK-LABEL: func.func @widths(
// CHECK-NEXT:    %f = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %r = "dnn.fused_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %y = "dnn.concat"
func.func @widths(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %vx: tensor<2x6xf32>, %vh: tensor<2x6xf32>) -> (tensor<5x3xf32>) {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %vx, %vh, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>} : (tensor<5x2xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64} : (tensor<5x1xf32>, tensor<5x2xf32>) -> tensor<5x3xf32>
  func.return %y : tensor<5x3xf32>
}

// used-elsewhere: what is between the layers.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.multi_gru (z): its layers and those before it stay apart: a value that would be gone is read elsewhere, or returned (%y) [used-elsewhere]
// CHECK-LABEL: func.func @layer_read(
// CHECK-NEXT:    %y = "dnn.multi_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %z = "dnn.multi_gru"{{.*}}dnn.engine
func.func @layer_read(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>, tensor<5x2xf32>) {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %z, %y : tensor<5x2xf32>, tensor<5x2xf32>
}

// formula: of layers.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.multi_gru (z): its layers and those before it stay apart: the two have different formulas or activations [formula]
// CHECK-LABEL: func.func @layer_formula(
// CHECK-NEXT:    %y = "dnn.multi_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %z = "dnn.multi_gru"{{.*}}dnn.engine
func.func @layer_formula(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat", origin_mode = true} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %z : tensor<5x2xf32>
}

// join: layers joined in different ways.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.multi_gru (z): its layers and those before it stay apart: the two directions are not joined side by side or added, with nothing else (concat and sum) [join]
// CHECK-LABEL: func.func @layer_mode(
// CHECK-NEXT:    %y = "dnn.multi_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %z = "dnn.multi_gru"{{.*}}dnn.engine
func.func @layer_mode(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>) {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "sum"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  func.return %z : tensor<5x1xf32>
}

// different-inputs: layers over different sequences.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.multi_gru (z): its layers and those before it stay apart: the two directions read different rows, or cut them into different sequences (%o and %p) [different-inputs]
// CHECK-LABEL: func.func @layer_offsets(
// CHECK-NEXT:    %y = "dnn.multi_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %z = "dnn.multi_gru"{{.*}}dnn.engine
func.func @layer_offsets(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %p: tensor<3xi64>) -> (tensor<5x2xf32>) {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %p) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %z : tensor<5x2xf32>
}

// weights: initial states of one layer alone.
// REMARK: refuses.mlir:[[# @LINE + 6]]:8: remark: dnn.multi_gru (z): its layers and those before it stay apart: the weights are of other sizes than the fused op takes (one has initial states, the other has not) [weights]
// CHECK-LABEL: func.func @layer_states(
// CHECK-NEXT:    %y = "dnn.multi_gru"{{.*}}dnn.engine
// CHECK-NEXT:    %z = "dnn.multi_gru"{{.*}}dnn.engine
func.func @layer_states(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %h0: tensor<2x1xf32>) -> (tensor<5x2xf32>) {
  %y = "dnn.multi_gru"(%x, %wx, %wh, %b, %wx, %wh, %b, %h0, %h0, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  %z = "dnn.multi_gru"(%y, %wx, %wh, %b, %wx, %wh, %b, %o) {mode = "concat"} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x2xf32>
  func.return %z : tensor<5x2xf32>
}

// control-flow: the product stands outside the loop, and would be computed in every iteration.
// REMARK: refuses.mlir:[[# @LINE + 8]]:10: remark: dnn.gru (n): the product before it is not fused with it: it is read again on another path or iteration [control-flow]
// CHECK-LABEL: func.func @loop(
// CHECK:         %g = "dnn.matmul"
// CHECK-NEXT:    %r = scf.for
// CHECK-NEXT:      %n = "dnn.gru"{{.*}}dnn.engine
func.func @loop(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %h: tensor<5x1xf32>, %o: tensor<3xi64>, %c0: index, %c1: index, %c9: index) -> tensor<5x1xf32> {
  %g = "dnn.matmul"(%x, %wx) : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %h) -> (tensor<5x1xf32>) {
    %n = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
    scf.yield %n : tensor<5x1xf32>
  }
  func.return %r : tensor<5x1xf32>
}

// join: a third value is added.
// REMARK: refuses.mlir:[[# @LINE + 7]]:8: remark: dnn.sum (y): {{.*}}3 operands{{.*}} [join]
// CHECK-LABEL: func.func @three(
// CHECK-COUNT-2: "dnn.fused_gru"
// CHECK-NEXT:    %y = "dnn.sum"
func.func @three(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>, %m: tensor<5x1xf32>) -> tensor<5x1xf32> {
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.sum"(%f, %r, %m) : (tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x1xf32>
  func.return %y : tensor<5x1xf32>
}

// decided: the product has a place in the arena, the directions are parts of what joins them.
// REMARK: refuses.mlir:[[# @LINE + 8]]:8: remark: dnn.gru (h): the product before it is not fused with it: a decision that was there before gives its place (%g) [decided]
// REMARK: refuses.mlir:[[# @LINE + 10]]:8: remark: dnn.concat (y): the GRUs it joins stay apart: a decision that was there before gives its place (%y) [decided]
// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:    %g = "dnn.matmul"(%x, %wx) {dnn.offset = array<i64: 0>
// CHECK-NEXT:    %h = "dnn.gru"
// CHECK:         %y = "dnn.concat"(%f, %r) {axis = 1 : i64, dnn.parts = array<i32: 0, 1>
func.func @decided(%x: tensor<5x2xf32>, %wx: tensor<2x3xf32>, %wh: tensor<1x3xf32>, %b: tensor<1x3xf32>, %o: tensor<3xi64>) -> (tensor<5x1xf32>, tensor<5x2xf32>) attributes {dnn.arena_bytes = 64 : i64} {
  %g = "dnn.matmul"(%x, %wx) {dnn.offset = array<i64: 0>} : (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  %h = "dnn.gru"(%g, %wh, %o) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>} : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %f = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %r = "dnn.fused_gru"(%x, %wx, %wh, %b, %o) {is_reverse = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>} : (tensor<5x2xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<3xi64>) -> tensor<5x1xf32>
  %y = "dnn.concat"(%f, %r) {axis = 1 : i64, dnn.parts = array<i32: 0, 1>} : (tensor<5x1xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %h, %y : tensor<5x1xf32>, tensor<5x2xf32>
}
