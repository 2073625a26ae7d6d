// Ops that MLIR verifies and xDSL does not, in generic form where xDSL does not read the custom one.
// RUN: opt-tool --bufferize-pass=layouts=identity,arguments=writable,unproved=error --split-input-file %s | filecheck %s

// Casts of arith, and its select by a tensor.
// CHECK-LABEL: @casts(
// CHECK: arith.sitofp
// CHECK: arith.select
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @casts(%x: tensor<?xi32>, %c: tensor<?xi1>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %f = "arith.sitofp"(%x) : (tensor<?xi32>) -> tensor<?xf32>
  %s = "arith.select"(%c, %f, %y) : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %s : tensor<?xf32>
}

// -----

// CHECK-LABEL: @reshaped(
// CHECK-NOT: memref.copy
// CHECK: memref.collapse_shape
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @reshaped(%x: tensor<?x?xf32>, %n: index, %i: index) -> f32 {
  %shape = tensor.from_elements %n : tensor<1xindex>
  %r = tensor.reshape %x(%shape) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %v = tensor.extract %r[%i] : tensor<?xf32>
  func.return %v : f32
}

// -----

// CHECK-LABEL: @from_scalar(
// CHECK: memref.expand_shape {{.*}} : memref<f32, strided<[], offset: ?>> into memref<1x1xf32, strided<[1, 1], offset: ?>>
func.func @from_scalar(%x: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<f32>
  %e = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %r = tensor.extract %e[%c0, %c0] : tensor<1x1xf32>
  func.return %r : f32
}

// -----

// CHECK-LABEL: @into_strides(
// CHECK: "memref.copy"(%y, %m) : (memref<5xf32>, memref<5xf32, strided<[2], offset: 3>>)
func.func @into_strides(%y: tensor<5xf32>, %m: memref<5xf32, strided<[2], offset: 3>>) {
  "bufferization.materialize_in_destination"(%y, %m) <{writable}> : (tensor<5xf32>, memref<5xf32, strided<[2], offset: 3>>) -> ()
  func.return
}

// -----

// Both have one size.
// CHECK-LABEL: @into_a_tensor(
// CHECK: "memref.copy"(%x, %y)
// CHECK: func.return %y
func.func @into_a_tensor(%x: tensor<?xf32> {bufferization.writable = false}, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = bufferization.materialize_in_destination %x in %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
