// Slices and reshapes are views, insert_slice is the inverse; where a step is known at run time only, ops are foreign.

// RUN: opt-tool %s --inplace-pass --verify-storage-pass | filecheck %s
// RUN: opt-tool %s --inplace-pass --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=WHY
// RUN: opt-tool %s --alias-pass | filecheck %s --check-prefix=ALIAS

// The part is negated where it lies: nothing moves.
// CHECK-LABEL: @update
func.func @update(%x: tensor<8x4xf32> {dnn.donated}) -> tensor<8x4xf32> {
  %s = tensor.extract_slice %x[2, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  // CHECK: arith.negf %s {dnn.inplace = array<i32: 0>}
  %t = arith.negf %s : tensor<4x4xf32>
  // CHECK: tensor.insert_slice {{.*}}dnn.inplace = array<i32: 1>
  %y = tensor.insert_slice %t into %x[2, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}

// Without rights to %x there is a copy, and only then the part may be updated.
// CHECK-LABEL: @not_mine
func.func @not_mine(%x: tensor<8x4xf32>, %t: tensor<4x4xf32>) -> tensor<8x4xf32> {
  // CHECK-NOT: dnn.inplace
  // WHY: :8: remark: tensor.insert_slice (y): %y is not written over %x{{.*}}[program-input]
  %y = tensor.insert_slice %t into %x[2, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  func.return %y : tensor<8x4xf32>
}

// Even and odd elements are apart; a slice leaves out the axis of size 1.
// CHECK-LABEL: @interleaved
func.func @interleaved(%x: tensor<2x8xf32> {dnn.donated}) -> (tensor<4xf32>, tensor<4xf32>) {
  %even = tensor.extract_slice %x[1, 0] [1, 4] [1, 2] : tensor<2x8xf32> to tensor<4xf32>
  %odd = tensor.extract_slice %x[1, 1] [1, 4] [1, 2] : tensor<2x8xf32> to tensor<4xf32>
  // CHECK: %a = arith.negf %even {dnn.inplace = array<i32: 0>}
  %a = arith.negf %even : tensor<4xf32>
  // CHECK: %b = arith.negf %odd {dnn.inplace = array<i32: 0>}
  %b = arith.negf %odd : tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @shapes
func.func @shapes(%x: tensor<6xf32> {dnn.donated}) -> tensor<6xf32> {
  %a = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  // CHECK: arith.negf %a {dnn.inplace = array<i32: 0>}
  %b = arith.negf %a : tensor<2x3xf32>
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %d = tensor.cast %c : tensor<6xf32> to tensor<6xf32>
  // CHECK: arith.negf %d {dnn.inplace = array<i32: 0>}
  %e = arith.negf %d : tensor<6xf32>
  func.return %e : tensor<6xf32>
}

// CHECK-LABEL: @concat
func.func @concat(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %a = arith.negf %x : tensor<4x4xf32>
  %b = arith.mulf %x, %x : tensor<4x4xf32>
  // CHECK: tensor.concat {{.*}}dnn.parts = array<i32: 0, 1>
  %c = tensor.concat dim(0) %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  func.return %c : tensor<8x4xf32>
}

// A size asks for no bytes; one element is set in place.
// CHECK-LABEL: @element
func.func @element(%i: index, %f: f32) -> (tensor<4xf32>, index) {
  %s = tensor.splat %f : tensor<4xf32>
  // CHECK: tensor.insert {{.*}}dnn.inplace = array<i32: 1>
  %t = tensor.insert %f into %s[%i] : tensor<4xf32>
  %n = tensor.dim %s, %i : tensor<4xf32>
  func.return %t, %n : tensor<4xf32>, index
}

// Where the part begins is not known: it is some part of %x, and the value in place over it is that part.
// CHECK-LABEL: @somewhere
// ALIAS-LABEL: @somewhere
func.func @somewhere(%x: tensor<8xf32> {dnn.donated}, %at: index) -> tensor<4xf32> {
  // ALIAS: tensor.extract_slice {{.*}}dnn.alias_class = array<i32: 0>
  %s = tensor.extract_slice %x[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // CHECK: arith.negf %s {dnn.inplace = array<i32: 0>}
  %a = arith.negf %s : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// The step is not known, but is not 0, as no stride of a memref is: it is some part too, no byte of which is two elements.
// CHECK-LABEL: @stepped
func.func @stepped(%x: tensor<8xf32> {dnn.donated}, %by: index) -> tensor<4xf32> {
  %s = tensor.extract_slice %x[0] [4] [%by] : tensor<8xf32> to tensor<4xf32>
  // CHECK: arith.negf %s {dnn.inplace = array<i32: 0>}
  %a = arith.negf %s : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// A step that goes back leads to no bytes that are known: nothing is claimed.
// CHECK-LABEL: @back
func.func @back(%x: tensor<8xf32> {dnn.donated}) -> tensor<4xf32> {
  %s = tensor.extract_slice %x[6] [4] [-1] : tensor<8xf32> to tensor<4xf32>
  // CHECK-NOT: dnn.inplace
  // WHY: :8: remark: arith.negf (a): %a is not written over %s{{.*}}[operands-alias]
  // CHECK: func.return
  %a = arith.negf %s : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// Beyond the end, as no verifier of xDSL sees: nothing is claimed.
// CHECK-LABEL: @outside
func.func @outside(%x: tensor<8xf32> {dnn.donated}) -> tensor<4xf32> {
  %s = tensor.extract_slice %x[6] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // CHECK-NOT: dnn.inplace
  %a = arith.negf %s : tensor<4xf32>
  func.return %a : tensor<4xf32>
}
