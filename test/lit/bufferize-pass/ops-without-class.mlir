// Ops of linalg that xDSL's classes do not have, in generic form: they go over their destinations, and are proved.
// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s
// RUN: opt-tool --bufferize-pass=arguments=writable --remarks --split-input-file %s 2>&1 | filecheck %s --check-prefix=REMARK

// A reduction of two tensors at once.
// CHECK-LABEL: @sums(
// CHECK-NEXT: "linalg.reduce"(%x, %y, %s, %t)
// CHECK-NOT: memref.copy
// CHECK: func.return %s, %t
func.func @sums(%x: tensor<4x8xf32>, %y: tensor<4x8xi32>, %s: tensor<4xf32>, %t: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = "linalg.reduce"(%x, %y, %s, %t) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: f32, %b: i32, %c: f32, %d: i32):
    %u = arith.addf %a, %c : f32
    %v = arith.addi %b, %d : i32
    "linalg.yield"(%u, %v) : (f32, i32) -> ()
  }) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  func.return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: @indices(
// CHECK: "linalg.fill"(%c0, %x)
// CHECK-NOT: memref.copy
// CHECK: func.return %x
func.func @indices(%x: tensor<5xindex>) -> tensor<5xindex> {
  %c0 = arith.constant 0 : index
  %f = "linalg.fill"(%c0, %x) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: index, %b: index):
    "linalg.yield"(%a) : (index) -> ()
  }) : (index, tensor<5xindex>) -> tensor<5xindex>
  func.return %f : tensor<5xindex>
}

// -----

// CHECK-LABEL: @numbers(
// CHECK: "linalg.map"(%x) ({
// CHECK-NEXT: "linalg.index"() <{dim = 0 : i64}> : () -> index
// CHECK: func.return %x
func.func @numbers(%x: tensor<7xi32>) -> tensor<7xi32> {
  %m = "linalg.map"(%x) ({
    %i = "linalg.index"() <{dim = 0 : i64}> : () -> index
    %j = "arith.index_cast"(%i) : (index) -> i32
    "linalg.yield"(%j) : (i32) -> ()
  }) : (tensor<7xi32>) -> tensor<7xi32>
  func.return %m : tensor<7xi32>
}

// -----

// A property, and elements that no kernel of the runtime computes with.
// CHECK-LABEL: @unsigned(
// CHECK-NEXT: "linalg.matmul"(%x, %y, %z) <{
// CHECK-SAME: cast = #linalg.type_fn<cast_unsigned>
// CHECK-NOT: memref.copy
// CHECK: func.return %z
// REMARK: remark: linalg.matmul (m): %m is written over %z, operand 2
func.func @unsigned(%x: tensor<4x4xcomplex<f32>>, %y: tensor<4x4xcomplex<f32>>, %z: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %m = "linalg.matmul"(%x, %y, %z) <{cast = #linalg.type_fn<cast_unsigned>, operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%a: complex<f32>, %b: complex<f32>, %c: complex<f32>):
    %p = "complex.mul"(%a, %b) : (complex<f32>, complex<f32>) -> complex<f32>
    %q = "complex.add"(%c, %p) : (complex<f32>, complex<f32>) -> complex<f32>
    "linalg.yield"(%q) : (complex<f32>) -> ()
  }) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  func.return %m : tensor<4x4xcomplex<f32>>
}

// -----

// No list has this name: it goes over its destination, which it may read, and over no input.
// CHECK-LABEL: @any_name(
// CHECK-NEXT: "linalg.pooling_of_tomorrow"(%x, %w, %o)
// CHECK-NOT: memref.copy
// CHECK: func.return %o
func.func @any_name(%x: tensor<4x4xf32>, %w: tensor<2xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p = "linalg.pooling_of_tomorrow"(%x, %w, %o) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%a: f32, %b: f32, %c: f32):
    "linalg.yield"(%a) : (f32) -> ()
  }) : (tensor<4x4xf32>, tensor<2xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %p : tensor<4x4xf32>
}
